import type { Figure } from '../../figure.ts';
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
