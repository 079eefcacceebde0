import type { PagedTerm } from '../domain/visibility/compare-visibility.ts';
import type { BasketStore, OwnedBasket } from '../stores/basket-store.ts';
import type { Ranking } from '../stores/stored-term.ts';
import type { TermStore } from '../stores/term-store.ts';

/** The newest day of a listing of which result pages of its basket are kept, with those pages. */
export type NewestPages = {
  /** UTC */
  day: string;
  /** store identifier of the listing */
  app_id: string;
  /** The terms of the basket in force on that day whose newest page is of that day. */
  terms: PagedTerm[];
};

export type VisibilityReader = ReturnType<typeof createVisibilityReader>;

/** Reads the result pages over which a listing and its competitors compare: of one day, and of one basket. */
export function createVisibilityReader(deps: {
  baskets: Pick<BasketStore, 'findNewest' | 'findInForce'>;
  terms: Pick<TermStore, 'findRankings'>;
}) {
  const { baskets, terms } = deps;

  const findRankings = (basket: OwnedBasket) =>
    terms.findRankings(
      basket,
      basket.terms.map(({ keyword }) => keyword),
    );

  return {
    /**
     * Null: there is no basket, or no page of it. Two queries; two more from the beginning of a basket's version until
     * its first page is read, while the newest pages are of days on which the version before was in force.
     */
    async readNewest(listingId: number): Promise<NewestPages | null> {
      const newest = await baskets.findNewest(listingId);
      if (!newest) return null;
      const rankings = await findRankings(newest);
      const day = newestDay(rankings.values());
      if (day === null) return null;
      const pages = (basket: OwnedBasket, of: ReadonlyMap<string, Ranking>) => ({
        day,
        app_id: basket.app_id,
        terms: pagesOf(day, basket, of),
      });
      const inForce = day < newest.from_day ? await baskets.findInForce(listingId, day) : null;
      return inForce ? pages(inForce, await findRankings(inForce)) : pages(newest, rankings);
    },
  };
}

function newestDay(rankings: Iterable<Ranking>): string | null {
  let newest: string | null = null;
  for (const { day } of rankings) if (newest === null || newest < day) newest = day;
  return newest;
}

function pagesOf(day: string, basket: OwnedBasket, rankings: ReadonlyMap<string, Ranking>): PagedTerm[] {
  return basket.terms.flatMap(({ keyword, traffic }) => {
    const ranking = rankings.get(keyword);
    return ranking?.day === day ? [{ traffic, app_ids: ranking.app_ids }] : [];
  });
}
