import type { BasketTerm } from '../domain/visibility/basket.ts';
import type { BasketOwner, BasketStore } from '../stores/basket-store.ts';
import type { PageDayStore } from '../stores/page-day-store.ts';
import type { PageOfTerm, Ranking } from '../stores/term.ts';
import type { TermStore } from '../stores/term-store.ts';
import type { DayRanks, VisibilityDayStore } from '../stores/visibility-day-store.ts';

export type SaveRanksDeps = {
  visibilityDays: Pick<VisibilityDayStore, 'saveRanks'>;
  pageDays: Pick<PageDayStore, 'savePages'>;
};

/**
 * Saves the rank of each listing that has the keyword of a result page in a basket, and the page, for the day of the page. A
 * listing on several pages of a day is written once in each collection.
 */
export async function savePageRanks(
  deps: SaveRanksDeps & { baskets: Pick<BasketStore, 'findOwners'> },
  pages: readonly PageOfTerm[],
): Promise<void> {
  const owners = await deps.baskets.findOwners(pages);
  const days = new Map<string, ChangedDay>();
  for (const { page, listingId, appId } of owners) {
    const { day } = page.ranking;
    const key = `${listingId}:${day}`;
    const known = days.get(key) ?? noPages(listingId, day);
    addPage(known, page.keyword, page.ranking, appId);
    days.set(key, known);
  }
  await saveDays(deps, [...days.values()]);
}

/** Saves the newest result pages of a listing's basket and its ranks on them, each for the day of its page. */
export async function saveNewestRanks(
  deps: SaveRanksDeps & { terms: Pick<TermStore, 'findRankings'> },
  listing: BasketOwner,
  basketTerms: readonly BasketTerm[],
): Promise<void> {
  const keywords = basketTerms.map((term) => term.keyword);
  const rankings = await deps.terms.findRankings(listing, keywords);
  const days = new Map<string, ChangedDay>();
  for (const [keyword, ranking] of rankings) {
    const known = days.get(ranking.day) ?? noPages(listing._id, ranking.day);
    addPage(known, keyword, ranking, listing.app_id);
    days.set(ranking.day, known);
  }
  await saveDays(deps, [...days.values()]);
}

type ChangedDay = DayRanks & {
  ranks: Map<string, number | null>;
  emptyPages: Set<string>;
  pages: Map<string, readonly string[]>;
};

async function saveDays(
  { visibilityDays, pageDays }: SaveRanksDeps,
  days: readonly ChangedDay[],
): Promise<void> {
  await Promise.all([visibilityDays.saveRanks(days), pageDays.savePages(days)]);
}

function noPages(listingId: number, day: string): ChangedDay {
  return { listingId, day, ranks: new Map(), emptyPages: new Set(), pages: new Map() };
}

function addPage(
  { ranks, emptyPages, pages }: ChangedDay,
  keyword: string,
  ranking: Ranking,
  appId: string,
): void {
  ranks.set(keyword, rankOf(ranking, appId));
  pages.set(keyword, ranking.app_ids);
  if (ranking.app_ids.length === 0) emptyPages.add(keyword);
}

/** From 1; null: not on the page. */
function rankOf(ranking: Ranking, appId: string): number | null {
  const index = ranking.app_ids.indexOf(appId);
  return index < 0 ? null : index + 1;
}
