import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { KeptPageStore, Where } from '../stores/kept-page-store.ts';
import type { TrackedTermStore } from '../stores/tracked-term-store.ts';
import { type SeenTerm, toSeenTerm } from './seen-term.ts';

export type SeenTermsDeps = {
  keptPages: Pick<KeptPageStore, 'listPublic' | 'listOf' | 'countUnread'>;
  trackedTerms: Pick<TrackedTermStore, 'findKeywordIds'>;
  now: () => Date;
};

/** Pages that one answer is made from. */
const maxPages = 2000;
/** Tracked terms of one answer. */
const maxTracked = 10_000;

export type SeenTerms = {
  terms: SeenTerm[];
  /** Tracked terms without a result page. */
  unread: number;
  /** There are more pages, or more tracked terms: those with the most traffic are here. */
  isTruncated: boolean;
};

/**
 * The terms on whose newest page one of some apps is, as an account sees them. It sees two sorts of pages, and no others:
 * - those of terms that it tracks, to rank 100
 * - those of terms that a public text has (`Term.public_until`), where the app is among the first 20, and to the week
 *
 * A term that only another account tracks, inspects, drafts or keeps in a keywords field is in neither: its request is not public.
 *
 * Cost: four queries; up to 2,000 pages of each sort, some 2 KB each. On the embedded database some .2 ms of CPU for each page, however
 * many are kept.
 * @param owner without a listing: whatever the account tracks in the storefront
 * @param where of an app on pages of tracked terms
 */
export async function findSeenTerms(
  { keptPages, trackedTerms, now }: SeenTermsDeps,
  owner: { account_id: string; listing_id?: number },
  storefront: Storefront,
  { appIds, where }: { appIds: readonly string[]; where: Where },
): Promise<SeenTerms> {
  const limit = maxPages + 1;
  const publicTerms = keptPages.listPublic(storefront, { appIds, at: now(), limit });
  // Also awaited below; a failure meanwhile must not be an unhandled one.
  publicTerms.catch(() => {});
  const tracked = await trackedTerms.findKeywordIds(owner, storefront, maxTracked);
  const keywords = [...tracked.keys()];
  const [ofTracked, unread, shown] = await Promise.all([
    keywords.length === 0 ? [] : keptPages.listOf(storefront, keywords, { appIds, where, limit }),
    keywords.length === 0 ? 0 : keptPages.countUnread(storefront, keywords),
    publicTerms,
  ]);
  const untracked = shown
    .filter(({ keyword }) => !tracked.has(keyword))
    .map((term) => toSeenTerm(term, null))
    .filter(({ page }) => appIds.some((id) => page.app_ids.includes(id)));
  const terms = [
    ...ofTracked.map((term) => toSeenTerm(term, tracked.get(term.keyword) ?? null)),
    ...untracked,
  ];
  const isCut = [ofTracked, shown, terms].some(({ length }) => length > maxPages);
  return {
    terms: isCut ? withMostTraffic(terms) : terms,
    unread,
    isTruncated: isCut || tracked.size === maxTracked,
  };
}

function withMostTraffic(terms: readonly SeenTerm[]): SeenTerm[] {
  return terms
    .toSorted((a, b) => (b.score.traffic ?? -1) - (a.score.traffic ?? -1) || (a.keyword < b.keyword ? -1 : 1))
    .slice(0, maxPages);
}
