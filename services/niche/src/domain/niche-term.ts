import type { Store } from '@shelfwise/facts/stores/store';

/** The storefront and time of a lookup. */
export type NicheContext = {
  store: Store;
  /** BCP 47 */
  lang: string;
  now: Date;
};

/** One of the first ten results for a term. Null: the store does not say, or it was not read. */
export type NicheApp = {
  /** store identifier */
  app_id: string;
  title: string;
  /** a key of the store's categories */
  genre_key: string | null;
  /** number of ratings in the storefront */
  ratings: number | null;
  updated_at: Date | null;
};

/** A scored term and its results. */
export type NicheTerm = {
  /** normal form */
  keyword: string;
  /** 0 to 100 */
  traffic: number;
  /** 0 to 100 */
  difficulty: number;
  /** keyword effectiveness index, 0 to 100, one decimal */
  kei: number;
  /** Whether people search for it. */
  isSearched: boolean;
  /** Whether the term names a brand. */
  isNavigational: boolean;
  /** the first ten, in the store's order; fewer when the store finds fewer */
  top: readonly NicheApp[];
};

/** For `sort`: by code units, the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** For `sort`: most traffic first, ties in the order of the normal form. (docs/scores.md, words) */
export function compareTerms(a: NicheTerm, b: NicheTerm): number {
  return b.traffic - a.traffic || compareText(a.keyword, b.keyword);
}
