import { type Figure, numberOf } from '../../figure.ts';
import type { KeywordsModel } from '../keywords/model.ts';

/** The rank of each tracked keyword of an app, by the keyword in small letters. Of the first 1,000 keywords. */
export type TrackedRanks = ReadonlyMap<string, Figure>;

export function toTrackedRanks(rows: KeywordsModel['rows']): TrackedRanks {
  return new Map(rows.map(({ keyword, rank }) => [keyword.toLowerCase(), rank]));
}

/** Null: it is not tracked, or that is not known yet. */
export function rankOf(ranks: TrackedRanks | null, keyword: string): Figure | null {
  return ranks?.get(keyword.toLowerCase()) ?? null;
}

/** For how many of the keywords the app was first, and in the first 5, when each was last read. Those that are not tracked are not known. */
export function countLeads(ranks: TrackedRanks | null, keywords: readonly string[]) {
  const places = keywords.map((keyword) => {
    const rank = rankOf(ranks, keyword);
    return (rank && numberOf(rank)) ?? Infinity;
  });
  return {
    first: places.filter((place) => place === 1).length,
    top5: places.filter((place) => place <= 5).length,
  };
}
