/** What was read for a keyword in one storefront: the inputs of its scores. Null: not read or unreadable. */
export type KeywordReading = {
  page: ResultPage | null;
  suggestion: SuggestionReading | null;
  chart: ChartReading | null;
  /**
   * The first looks at lists of suggestions that were empty although the store may have suggestions, one per prefix.
   * Empty once the suggestion is known.
   */
  empty_looks: readonly EmptyLook[];
};

/** A look at the list of a prefix that was empty. A store that throttles some calls shows the same. */
export type EmptyLook = { prefix: string; read_at: Date };

/** Nothing was read. */
export const blankReading: KeywordReading = { page: null, suggestion: null, chart: null, empty_looks: [] };

export type ResultPage = {
  /** The UTC day on which the store was read. */
  day: string;
  read_at: Date;
  /** sample, app-store or google-play */
  source: string;
  /** Its storefront showed signs of wrong pages (store-fetch). Absent: it did not. */
  is_suspect?: true;
  /** The number of results that the store shows, 100 at most. */
  size: number;
  /** The first 20, in the store's order. */
  apps: PageApp[];
  /**
   * When the rating counts, installs and dates of the first ten were read. On the App Store with the page; on Google Play, that
   * of the oldest app page. Null: not read yet, so neither score can be computed.
   */
  details_read_at: Date | null;
};

/** One app of a result page. Null: the store does not say, its row could not be read, or its details were not. */
export type PageApp = {
  /** store identifier */
  app_id: string;
  title: string | null;
  developer_name: string | null;
  icon: string | null;
  genre: string | null;
  /** The store's genre key, such as 6007 or PRODUCTIVITY. */
  genre_key: string | null;
  /** average, 0 to 5 */
  rating: number | null;
  /** number of ratings in the storefront */
  ratings: number | null;
  /** Google Play only: a lower bound */
  installs: number | null;
  updated_at: Date | null;
};

/** What the store's autocomplete says about a keyword. */
export type SuggestionReading = {
  read_at: Date;
  source: string;
  match: SuggestionMatch;
  /** Every suggestion request, in order. */
  probes: SuggestionProbe[];
};

export type SuggestionMatch =
  /** `prefix` is the shortest one at which the store suggests the term, at position `index` (from 0) of `size`. */
  | { kind: 'suggested'; prefix: string; index: number; size: number }
  /** The term itself is never suggested, but `count` of the `size` suggestions for the whole term start with it. */
  | { kind: 'begins'; count: number; size: number }
  /** Neither: none of the `size` suggestions for the whole term is it or starts with it. */
  | { kind: 'absent'; size: number };

/** One request: the term's `index` (from 0) among the `size` suggestions for `prefix`; null: it is not among them. */
export type SuggestionProbe = { prefix: string; index: number | null; size: number };

export type ChartReading = {
  read_at: Date;
  source: string;
  /** How many of the first ten results are in the storefront's overall free chart (top 100). */
  charted: number;
};
