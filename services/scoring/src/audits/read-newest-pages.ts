import { daysBefore } from '@shelfwise/runtime/day';
import type { PagedTerm } from '../domain/visibility/compare-visibility.ts';
import { carriedDays } from '../domain/visibility/score-days.ts';
import type { BasketStore, OwnedBasket } from '../stores/basket-store.ts';
import type { Ranking } from '../stores/term.ts';
import type { TermStore } from '../stores/term-store.ts';

/** The newest day with stored result pages of a listing's basket, and those pages. */
export type NewestPages = {
  /** UTC */
  day: string;
  /** store identifier of the listing */
  app_id: string;
  /**
   * The terms of the basket in force on that day, with their newest pages if these are from that day or the two days
   * before.
   */
  terms: PagedTerm[];
};

/**
 * Reads the result pages over which a listing and its competitors are compared, all from one day and one basket. Null when
 * there is no basket or no page of it. Costs two queries, and two more while a new basket version has no page yet.
 */
export async function readNewestPages(
  deps: {
    baskets: Pick<BasketStore, 'findNewest' | 'findInForce'>;
    terms: Pick<TermStore, 'findRankings'>;
  },
  listingId: number,
): Promise<NewestPages | null> {
  const { baskets, terms } = deps;
  const findRankings = (basket: OwnedBasket) =>
    terms.findRankings(
      basket,
      basket.terms.map((term) => term.keyword),
    );
  const newest = await baskets.findNewest(listingId);
  if (!newest) return null;
  const rankings = await findRankings(newest);
  const day = newestDay(rankings.values());
  if (day === null) return null;
  const inForce = day < newest.from_day ? await baskets.findInForce(listingId, day) : null;
  return inForce
    ? { day, app_id: inForce.app_id, terms: pagesOf(day, inForce, await findRankings(inForce)) }
    : { day, app_id: newest.app_id, terms: pagesOf(day, newest, rankings) };
}

function newestDay(rankings: Iterable<Ranking>): string | null {
  let newest: string | null = null;
  for (const { day } of rankings) if (newest === null || newest < day) newest = day;
  return newest;
}

function pagesOf(day: string, basket: OwnedBasket, rankings: ReadonlyMap<string, Ranking>): PagedTerm[] {
  const oldest = daysBefore(day, carriedDays);
  return basket.terms.map(({ keyword, traffic }) => {
    const ranking = rankings.get(keyword);
    const isKnown = ranking !== undefined && ranking.day <= day && ranking.day >= oldest;
    return { traffic, app_ids: isKnown ? ranking.app_ids : null };
  });
}
