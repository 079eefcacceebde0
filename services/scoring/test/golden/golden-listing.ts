import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { Tier } from '@shelfwise/facts/tiers';
import type {
  AuditContext,
  AuditInput,
  ListingTexts,
  TermScore,
} from '../../src/domain/audit/audit-input.ts';
import { listingTerms } from '../../src/domain/audit/listing-terms.ts';
import type { Verdict } from '../../src/domain/audit/targeting.ts';
import { buildAuditInput, searched, ungraded, unsearched } from '../build-audit-input.ts';

/** Both bounds are inclusive. */
export type Range = readonly [from: number, to: number];

/**
 * An invented but realistic listing with hand-set term scores, and what an expert on the stores would say about it.
 * `because` gives the reasons, so that a reader can agree or disagree.
 */
export type GoldenListing = {
  name: string;
  storefront: Storefront;
  developer_name: string;
  genre: string;
  texts: ListingTexts;
  context: AuditContext;
  /** Traffic and difficulty, or only the traffic of a term whose results were not read. */
  terms: Readonly<Record<string, readonly [traffic: number, difficulty: number] | number>>;
  /** Owners of the terms that are brands. */
  brands?: Readonly<Record<string, NonNullable<TermScore['brand']>>>;
  /** Status of all other terms: not searched, or not known yet. */
  others: 'unsearched' | 'pending';
  expected: {
    tier: Tier;
    coverage: Range;
    targeting: Range;
    appeal: Range;
    global: Range;
    verdicts: Readonly<Record<string, Verdict>>;
    /** Exactly these flags, in any order. */
    critical: readonly string[];
    warning: readonly string[];
    info: readonly string[];
  };
  because: string;
};

export const goldenAppId = 'golden';

export function goldenInput(golden: GoldenListing): AuditInput {
  const { storefront, texts, context, genre } = golden;
  const terms = new Map(
    listingTerms({ storefront, texts }).flatMap(({ keyword }) => {
      const score = termScore(golden, keyword);
      return score === null ? [] : [[keyword, score] as const];
    }),
  );
  const { store, lang } = storefront;
  const input = buildAuditInput(store, {
    app_id: goldenAppId,
    lang,
    texts,
    context,
    developer_name: golden.developer_name,
    genre,
    terms,
  });
  return { ...input, storefront };
}

function termScore({ terms, brands, others }: GoldenListing, keyword: string): TermScore | null {
  const given = terms[keyword];
  if (given === undefined) return others === 'pending' ? null : unsearched;
  if (typeof given === 'number') return ungraded(given);
  const [traffic, difficulty] = given;
  return searched(traffic, difficulty, brands?.[keyword] ?? null);
}
