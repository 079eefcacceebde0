import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { Tier } from '@shelfwise/facts/tiers';
import type {
  AuditContext,
  AuditInput,
  ListingTexts,
  TermScore,
} from '../../src/domain/audit/audit-input.ts';
import type { Verdict } from '../../src/domain/audit/axes/reach.ts';
import type { TermPage } from '../../src/domain/audit/axes/term-page.ts';
import { listingTerms } from '../../src/domain/audit/words/listing-terms.ts';
import { buildAuditInput, searched, ungraded, unsearched } from '../build-audit-input.ts';
import { readData } from '../read-data.ts';

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
  /**
   * What the result pages show: the rank of the app for a term; null: it is not on the page, and neither are apps like it.
   * The pages of all other terms are not known, and count in full.
   */
  ranks?: Readonly<Record<string, number | null>>;
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

export const goldenListings: readonly GoldenListing[] = ['app-store', 'google-play'].flatMap((store) =>
  readData<GoldenListing[]>(`${store}-listings.json`),
);

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

function termScore(golden: GoldenListing, keyword: string): TermScore | null {
  const score = unrankedScore(golden, keyword);
  const rank = golden.ranks?.[keyword];
  return score && rank !== undefined ? { ...score, page: pageWith(keyword, rank) } : score;
}

/** A page of apps that are on no other page. */
function pageWith(keyword: string, rank: number | null): TermPage {
  const ids = Array.from({ length: 100 }, (_, at) =>
    at + 1 === rank ? goldenAppId : `${keyword} ${at + 1}`,
  );
  return { app_ids: ids, genres: null };
}

function unrankedScore({ terms, brands, others }: GoldenListing, keyword: string): TermScore | null {
  const given = terms[keyword];
  if (given === undefined) return others === 'pending' ? null : unsearched;
  if (typeof given === 'number') return ungraded(given);
  const [traffic, difficulty] = given;
  return searched(traffic, difficulty, brands?.[keyword] ?? null);
}
