import type { Storefront } from '@shelfwise/facts/storefront';
import type { AxisScores } from '@shelfwise/proto/scoring/v1/scoring';
import type { Auditor } from '../auditing/auditor.ts';
import { axisScoresOf } from '../domain/audit/axis-scores.ts';
import { holdsPending } from '../domain/audit/holds-pending.ts';
import { listingTerms } from '../domain/audit/listing-terms.ts';
import { textsOf } from '../domain/listing-context.ts';
import type { TermStore } from '../stores/term-store.ts';
import type { Simulation } from './check-simulation.ts';

/** The live listing that a draft is compared with. */
export type Baseline = {
  scores: AxisScores;
  /** Every term of the listing is known, so that coverage, targeting and the overall score are whole. */
  isWhole: boolean;
};

export type FindBaseline = ReturnType<typeof createFindBaseline>;

/** Finds the app's stored scores, audited anew where terms that were pending, or have changed, went into them. */
export function createFindBaseline({
  auditor,
  terms,
}: {
  auditor: Pick<Auditor, 'renew'>;
  terms: Pick<TermStore, 'findScores'>;
}) {
  return async function findBaseline(
    app: NonNullable<Simulation['app']>,
    storefront: Storefront,
    requestId: string,
  ): Promise<Baseline> {
    const own = listingTerms({ storefront, texts: textsOf(app.listing) }).map(({ keyword }) => keyword);
    // Looked at before the audit, which then knows at least as much. The report tells of words; phrases count too.
    const known = await terms.findScores(storefront, own);
    const { report } = await auditor.renew(app, requestId);
    const isKnown = (keyword: string) => (known.get(keyword)?.search_status ?? 'pending') !== 'pending';
    return { scores: axisScoresOf(report), isWhole: own.every(isKnown) && !holdsPending(report) };
  };
}
