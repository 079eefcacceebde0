import { isCategory, overallCategory } from '@shelfwise/facts/categories';
import type { Store } from '@shelfwise/facts/store';
import type { NicheTerm } from './niche-term.ts';

/**
 * The keys of the store's genres that hold the most of the places among the first ten of all terms; several when they
 * hold as many, in the order in which the terms and the store show them. An app counts for each term that it ranks for.
 * Empty when no genre is known.
 */
export function mainGenres(terms: readonly NicheTerm[], store: Store): string[] {
  const counts = new Map<string, number>();
  for (const { genre_key } of terms.flatMap(({ top }) => top)) {
    if (genre_key === null || genre_key === overallCategory || !isCategory(store, genre_key)) continue;
    counts.set(genre_key, (counts.get(genre_key) ?? 0) + 1);
  }
  const most = Math.max(0, ...counts.values());
  return [...counts].filter(([, count]) => count === most).map(([key]) => key);
}
