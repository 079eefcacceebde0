import type { BasketTerm } from '../domain/visibility/basket.ts';
import type { BasketStore } from '../stores/basket-store.ts';
import type { Listing } from '../stores/listing.ts';
import type { PageOfTerm, Ranking } from '../stores/term.ts';
import type { TermStore } from '../stores/term-store.ts';
import type { DayRanks, VisibilityDayStore } from '../stores/visibility-day-store.ts';

/**
 * Saves the rank of each listing that has the keyword of a result page in a basket, for the day of the page. A listing
 * on several pages of a day is written once.
 */
export async function savePageRanks(
  deps: { baskets: Pick<BasketStore, 'findOwners'>; visibilityDays: Pick<VisibilityDayStore, 'saveRanks'> },
  pages: readonly PageOfTerm[],
): Promise<void> {
  const owners = await deps.baskets.findOwners(pages);
  const days = new Map<string, ChangedRanks>();
  for (const { page, listingId, appId } of owners) {
    const { day } = page.ranking;
    const key = `${listingId}:${day}`;
    const known = days.get(key) ?? noRanks(listingId, day);
    addRank(known, page.keyword, page.ranking, appId);
    days.set(key, known);
  }
  await deps.visibilityDays.saveRanks([...days.values()]);
}

/** Saves the ranks of a listing on the newest result pages of its basket, each for the day of its page. */
export async function saveNewestRanks(
  deps: { terms: Pick<TermStore, 'findRankings'>; visibilityDays: Pick<VisibilityDayStore, 'saveRanks'> },
  listing: Listing,
  basketTerms: readonly BasketTerm[],
): Promise<void> {
  const keywords = basketTerms.map((term) => term.keyword);
  const rankings = await deps.terms.findRankings(listing, keywords);
  const days = new Map<string, ChangedRanks>();
  for (const [keyword, ranking] of rankings) {
    const known = days.get(ranking.day) ?? noRanks(listing._id, ranking.day);
    addRank(known, keyword, ranking, listing.app_id);
    days.set(ranking.day, known);
  }
  await deps.visibilityDays.saveRanks([...days.values()]);
}

type ChangedRanks = DayRanks & { ranks: Map<string, number | null>; emptyPages: Set<string> };

function noRanks(listingId: number, day: string): ChangedRanks {
  return { listingId, day, ranks: new Map(), emptyPages: new Set() };
}

function addRank(
  { ranks, emptyPages }: ChangedRanks,
  keyword: string,
  ranking: Ranking,
  appId: string,
): void {
  ranks.set(keyword, rankOf(ranking, appId));
  if (ranking.app_ids.length === 0) emptyPages.add(keyword);
}

/** From 1; null: not on the page. */
function rankOf(ranking: Ranking, appId: string): number | null {
  const index = ranking.app_ids.indexOf(appId);
  return index < 0 ? null : index + 1;
}
