import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { Auditor } from '../auditing/auditor.ts';
import { type AxisScores, axisScoresOf } from '../domain/audit/axis-scores.ts';
import { hasPendingWords } from '../domain/audit/is-measured.ts';
import { listingTerms } from '../domain/audit/listing-terms.ts';
import { textsOf } from '../domain/listing-context.ts';
import type { TermStore } from '../stores/term-store.ts';
import type { Simulation } from './check-simulation.ts';

/** The live listing that a draft is compared with. */
export type Baseline = {
  scores: AxisScores;
  /**
   * Whether every term of the listing is known, so that coverage, targeting and the overall score leave nothing out.
   */
  isComplete: boolean;
};

/** Finds the app's stored scores. Audits the app again when terms were pending or have changed since. */
export async function findBaseline(
  deps: { auditor: Pick<Auditor, 'refresh'>; terms: Pick<TermStore, 'findScores'> },
  app: NonNullable<Simulation['app']>,
  storefront: Storefront,
  requestId: string,
): Promise<Baseline> {
  const texts = textsOf(app.listing);
  const own = listingTerms({ storefront, texts }).map((term) => term.keyword);
  // Read before the audit, so that the audit knows at least as much. The report lists words only; phrases count too.
  const known = await deps.terms.findScores(storefront, own);
  const { report } = await deps.auditor.refresh(app, requestId);
  const isKnown = (keyword: string) => (known.get(keyword)?.search_status ?? 'pending') !== 'pending';
  return { scores: axisScoresOf(report), isComplete: own.every(isKnown) && !hasPendingWords(report) };
}
