import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { KeptPageStore, PagedTerm, Where } from '../stores/kept-page-store.ts';
import type { TrackedTermStore } from '../stores/tracked-term-store.ts';
import { type SeenTerm, toSeenTerm } from './seen-term.ts';

export type SeenTermsDeps = {
  keptPages: Pick<KeptPageStore, 'listPublic' | 'listOf'>;
  trackedTerms: Pick<TrackedTermStore, 'findKeywordIds'>;
  now: () => Date;
};

/** Pages that one answer is made from. */
const maxPages = 2000;
/** Tracked keywords of one answer; several may be of one term. */
const maxTracked = 10_000;

export type SeenTerms = {
  /** in any order */
  terms: SeenTerm[];
  /** Tracked terms without a result page. */
  unread: number;
  /** There are more pages, or more tracked terms: those with the most traffic are here. */
  isTruncated: boolean;
};

/**
 * The terms on whose page one of some apps is, as an account sees them. It sees two sorts of pages, and no others:
 * - the newest one of each term that it tracks, to rank 100
 * - the public one of each term that a public text has (`publicPageAfter`), where the app is among the first 20, and to the week
 *
 * A term that only another account tracks, inspects, drafts or keeps in a keywords field is in neither: its request is not public. If
 * the term is public, too, what that account has read changes neither its page nor its scores.
 *
 * Cost: three queries, and one more for each 2,000 tracked terms; up to 10,000 pages of tracked terms, some 2 KB each, and 2,000
 * public ones; the database sorts all public ones that have one of the apps. It does not grow with the other pages that are kept.
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
  const { ids: tracked, isCut: isTrackedCut } = await trackedTerms.findKeywordIds(
    owner,
    storefront,
    maxTracked,
  );
  const [ofTracked, ofPublic] = await Promise.all([
    keptPages.listOf(storefront, [...tracked.keys()], { appIds, where }),
    // While the database still reads those that are tracked.
    publicTerms.then((shown) => ({ count: shown.length, terms: toUntracked(shown, tracked, appIds) })),
  ]);
  const terms = ofPublic.terms;
  for (const term of ofTracked.terms) terms.push(toSeenTerm(term, tracked.get(term.keyword) ?? null));
  const isCut = [ofTracked.terms.length, ofPublic.count, terms.length].some((count) => count > maxPages);
  return {
    terms: isCut ? withMostTraffic(terms) : terms,
    unread: ofTracked.unread,
    isTruncated: isCut || isTrackedCut,
  };
}

/** As an account sees those that it does not track, where one of the apps is on the page that it sees. */
function toUntracked(
  shown: readonly PagedTerm[],
  tracked: ReadonlyMap<string, number>,
  appIds: readonly string[],
): SeenTerm[] {
  const terms: SeenTerm[] = [];
  for (const paged of shown) {
    if (tracked.has(paged.keyword)) continue;
    const term = toSeenTerm(paged, null);
    if (appIds.some((id) => term.page.app_ids.indexOf(id) >= 0)) terms.push(term);
  }
  return terms;
}

/** In any order. Equal ones by keyword, from the first. */
function withMostTraffic(terms: readonly SeenTerm[]): SeenTerm[] {
  if (terms.length <= maxPages) return [...terms];
  const least = Float64Array.from(terms, trafficOf).sort()[terms.length - maxPages] as number;
  const chosen = terms.filter((term) => trafficOf(term) > least);
  const equal = terms.filter((term) => trafficOf(term) === least);
  return chosen.concat(
    equal.sort((a, b) => (a.keyword < b.keyword ? -1 : 1)).slice(0, maxPages - chosen.length),
  );
}

/** An unknown one is the least. */
function trafficOf({ score }: SeenTerm): number {
  return score.traffic ?? -1;
}
