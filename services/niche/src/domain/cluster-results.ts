import { isCategory, overallCategory } from '@shelfwise/facts/stores/categories';
import type { Store } from '@shelfwise/facts/stores/store';
import type { NicheTerm } from './niche-term.ts';
import { documentFrequencies } from './word-set.ts';

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
  for (const { genre_key: genre } of terms.flatMap(({ top }) => top)) {
    if (genre === null || genre === overallCategory || !isCategory(store, genre)) continue;
    counts.set(genre, (counts.get(genre) ?? 0) + 1);
    known++;
  }
  const most = Math.max(0, ...counts.values());
  return [...counts].filter(([, places]) => places === most).map(([key, places]) => ({ key, places, known }));
}

/** A term that shares at least this part of the highest count represents the cluster as well. */
const minShareOfMost = 0.75;

/**
 * The term of a cluster whose results are those of the cluster: the most searched one of those that share about as many
 * results with the other terms as any does. A broader one (`planner` among budgets) leads elsewhere, and what is said of
 * its results is not true of the cluster. Null without terms.
 * @param terms most traffic first
 */
export function representativeTerm(terms: readonly NicheTerm[]): NicheTerm | null {
  const tops = terms.map(({ top }) => new Set(top.slice(0, 10).map((app) => app.app_id)));
  const counts = documentFrequencies(tops);
  const shared = tops.map((apps) => [...apps].reduce((sum, app) => sum + (counts.get(app) ?? 0), 0));
  const most = shared.reduce((highest, count) => Math.max(highest, count), 0);
  return terms.find((_, at) => (shared[at] ?? 0) >= minShareOfMost * most) ?? null;
}
