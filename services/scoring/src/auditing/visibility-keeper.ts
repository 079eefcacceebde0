import type { Storefront } from '@shelfwise/facts/storefront';
import type { TermScore } from '../domain/audit/audit-input.ts';
import { type BasketTerm, type Candidate, drawBasket, nextBasket } from '../domain/visibility/basket.ts';
import type { BasketStore, StoredBasket } from '../stores/basket-store.ts';
import type { FollowedListing } from '../stores/listing-store.ts';
import type { Ranking } from '../stores/stored-term.ts';
import type { TermStore } from '../stores/term-store.ts';
import type { DayRanks, VisibilityDayStore } from '../stores/visibility-day-store.ts';

/** What an audit knows of a listing that its basket depends on. */
export type BasketInput = {
  listing: FollowedListing;
  /** the newest one; null: none yet */
  basket: StoredBasket | null;
  /** tracked for the listing, oldest first */
  tracked: readonly string[];
  /** the terms that the listing aims at */
  own: readonly string[];
  scores: ReadonlyMap<string, TermScore>;
  day: string;
  isDailyPass: boolean;
};

export type VisibilityKeeper = ReturnType<typeof createVisibilityKeeper>;

/** Keeps each listing's baskets, and what every day's readings show of its ranks. */
export function createVisibilityKeeper(deps: {
  baskets: BasketStore;
  visibilityDays: Pick<VisibilityDayStore, 'keepRanks'>;
  terms: Pick<TermStore, 'findRankings'>;
}) {
  const { baskets, visibilityDays, terms } = deps;

  async function renewBasket(input: BasketInput): Promise<BasketTerm[]> {
    const { listing, basket, tracked, own, scores } = input;
    const drawn = drawBasket({ tracked: candidates(tracked, scores), own: candidates(own, scores) });
    const next = nextBasket(basket, drawn, { ...input, firstDay: listing.since_day });
    if (!next || next === basket) return basket?.terms ?? [];
    if (await baskets.keep(listing, next, basket)) return next.terms;
    return (await baskets.findNewest(listing._id))?.terms ?? [];
  }

  /** What the newest result pages of the terms show, each for its own day. */
  async function newestRanks(
    listing: FollowedListing,
    basketTerms: readonly BasketTerm[],
  ): Promise<DayRanks[]> {
    const keywords = basketTerms.map(({ keyword }) => keyword);
    const rankings = await terms.findRankings(listing, keywords);
    const days = new Map<string, Map<string, number | null>>();
    for (const [keyword, ranking] of rankings) {
      const ranks = days.get(ranking.day) ?? new Map<string, number | null>();
      days.set(ranking.day, ranks.set(keyword, rankOf(ranking, listing.app_id)));
    }
    return [...days].map(([day, ranks]) => ({ listingId: listing._id, day, ranks }));
  }

  return {
    /**
     * The terms of the basket after an audit. Ranks come as they are read (`onRanks`); until the basket is fixed, and once
     * a day, they are taken from the terms too: for those that are new in it, and for what a crash has left out.
     */
    async renew(input: BasketInput): Promise<BasketTerm[]> {
      const { listing, basket, isDailyPass } = input;
      const basketTerms = await renewBasket(input);
      const isSettled = basket?.is_fixed === true && !isDailyPass;
      if (!isSettled) await visibilityDays.keepRanks(await newestRanks(listing, basketTerms));
      return basketTerms;
    },

    /** A result page was read: the ranks of all listings that have the keyword in a basket, for the page's own day. */
    async onRanks(storefront: Storefront, keyword: string, ranking: Ranking): Promise<void> {
      const owners = await baskets.findOwners(storefront, keyword);
      await visibilityDays.keepRanks(
        owners.map(({ id, app_id: appId }) => ({
          listingId: id,
          day: ranking.day,
          ranks: new Map([[keyword, rankOf(ranking, appId)]]),
        })),
      );
    },
  };
}

function candidates(keywords: readonly string[], scores: ReadonlyMap<string, TermScore>): Candidate[] {
  return keywords.flatMap((keyword) => {
    const score = scores.get(keyword);
    return score ? [{ keyword, traffic: score.traffic, searchStatus: score.search_status }] : [];
  });
}

/** From 1; null: not among those shown. */
function rankOf({ app_ids: appIds }: Ranking, appId: string): number | null {
  const index = appIds.indexOf(appId);
  return index < 0 ? null : index + 1;
}
