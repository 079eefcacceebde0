import { isCategory, overallCategory } from '@shelfwise/facts/categories';
import type { Store } from '@shelfwise/facts/store';
import type { NicheTerm } from './niche-term.ts';

/** A genre, how many places it holds, and of how many places the genre is known. */
export type MainGenre = { key: string; places: number; known: number };

/**
 * The genres of the store that hold the most of the places among the first ten of all terms. Several when they hold as
 * many, in the order in which the terms and the store show them. An app counts for each term that it ranks for. Empty
 * when no genre is known.
 */
export function mainGenres(terms: readonly NicheTerm[], store: Store): MainGenre[] {
  const counts = new Map<string, number>();
  let known = 0;
  for (const { genre_key: genreKey } of terms.flatMap(({ top }) => top)) {
    if (genreKey === null || genreKey === overallCategory || !isCategory(store, genreKey)) continue;
    counts.set(genreKey, (counts.get(genreKey) ?? 0) + 1);
    known++;
  }
  const most = Math.max(0, ...counts.values());
  return [...counts].filter(([, places]) => places === most).map(([key, places]) => ({ key, places, known }));
}
