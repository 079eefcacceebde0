import { daysBefore } from '@shelfwise/runtime/day';

/** A result page of a keyword on one UTC day, as it was read. */
export type KeywordPage = {
  keyword_id: number;
  /** YYYY-MM-DD */
  day: string;
  /** Store identifiers in the store's order, at most 100. */
  app_ids: readonly string[];
};

/** Smaller pages shrink by themselves. */
const minSteadySize = 10;
/** A page that is small for longer is small for good. */
const shrunkDays = 7;

/**
 * Whether a page is news: it has results, and is of a later day than the kept one. An empty page is none, because a store
 * that fails can look like one, and a page with results disproves it. Nor is one that has lost two thirds of its results, for a
 * week: it may show only a part. So they are compared with nothing, and the next page is compared with the last one that was whole.
 */
export function isNewPage(kept: KeywordPage | null, taken: KeywordPage): boolean {
  if (taken.app_ids.length === 0) return false;
  return kept === null || (kept.day < taken.day && !hasShrunk(kept, taken));
}

function hasShrunk(kept: KeywordPage, taken: KeywordPage): boolean {
  const size = kept.app_ids.length;
  const isSmall = size >= minSteadySize && 3 * taken.app_ids.length <= size;
  return isSmall && kept.day >= daysBefore(taken.day, shrunkDays);
}

/** Two pages of a keyword, of days that were read. */
export type PageChange = {
  /** normal form */
  keyword: string;
  before: KeywordPage;
  after: KeywordPage;
  /** Tracking has read `after` a second time. */
  wasReadTwice: boolean;
};

/** A page as tracking publishes it. */
type TakenPage = KeywordPage & {
  keyword: string;
  was_read_twice?: boolean | null | undefined;
  is_suspect?: boolean | null | undefined;
};

/**
 * Compares pages, each of another keyword, with the kept ones: those to keep from now on, and the changes by keyword id. The
 * first page of a keyword changes nothing. A page that was read while its storefront was suspect is neither compared nor kept,
 * so the next one is compared with the last page before it.
 */
export function comparePages(
  kept: ReadonlyMap<number, KeywordPage>,
  taken: readonly TakenPage[],
): { fresh: KeywordPage[]; changes: Map<number, PageChange> } {
  const fresh: KeywordPage[] = [];
  const changes = new Map<number, PageChange>();
  for (const { keyword_id, keyword, day, app_ids, was_read_twice, is_suspect } of taken) {
    const after = { keyword_id, day, app_ids };
    const before = kept.get(keyword_id) ?? null;
    if (is_suspect || !isNewPage(before, after)) continue;
    fresh.push(after);
    if (before) changes.set(keyword_id, { keyword, before, after, wasReadTwice: was_read_twice ?? false });
  }
  return { fresh, changes };
}

/** The rank of an app, 1 to 100; null when it is not on the page. */
export function rankOn({ app_ids: appIds }: Pick<KeywordPage, 'app_ids'>, appId: string): number | null {
  const index = appIds.indexOf(appId);
  return index < 0 ? null : index + 1;
}
