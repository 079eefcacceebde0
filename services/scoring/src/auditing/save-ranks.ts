import type { BasketTerm } from '../domain/visibility/basket.ts';
import type { BasketStore } from '../stores/basket-store.ts';
import type { Listing } from '../stores/listing.ts';
import type { PageOfTerm, Ranking } from '../stores/term.ts';
import type { TermStore } from '../stores/term-store.ts';
import type { VisibilityDayStore } from '../stores/visibility-day-store.ts';

/**
 * Saves the rank of each listing that has the keyword of a result page in a basket, for the day of the page. A listing
 * on several pages of a day is written once.
 */
export async function savePageRanks(
  deps: { baskets: Pick<BasketStore, 'findOwners'>; visibilityDays: Pick<VisibilityDayStore, 'saveRanks'> },
  pages: readonly PageOfTerm[],
): Promise<void> {
  const owners = await deps.baskets.findOwners(pages);
  const days = new Map<string, { listingId: number; day: string; ranks: Map<string, number | null> }>();
  for (const { page, listingId, appId } of owners) {
    const { day } = page.ranking;
    const key = `${listingId}:${day}`;
    const known = days.get(key) ?? { listingId, day, ranks: new Map<string, number | null>() };
    known.ranks.set(page.keyword, rankOf(page.ranking, appId));
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
  const days = new Map<string, Map<string, number | null>>();
  for (const [keyword, ranking] of rankings) {
    const ranks = days.get(ranking.day) ?? new Map<string, number | null>();
    days.set(ranking.day, ranks.set(keyword, rankOf(ranking, listing.app_id)));
  }
  await deps.visibilityDays.saveRanks(
    [...days].map(([day, ranks]) => ({ listingId: listing._id, day, ranks })),
  );
}

/** From 1; null: not on the page. */
function rankOf(ranking: Ranking, appId: string): number | null {
  const index = ranking.app_ids.indexOf(appId);
  return index < 0 ? null : index + 1;
}
