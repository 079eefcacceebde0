import { isCategory, overallCategory } from '@shelfwise/facts/stores/categories';
import type { Store } from '@shelfwise/facts/stores/store';
import type { NicheTerm } from './niche-term.ts';
import { documentFrequencies } from './word-set.ts';

/** A genre, the number of places it holds, and the number of places with a known genre. */
export type MainGenre = { key: string; places: number; known: number };

/**
 * The genres with the most places among the first ten results of all terms. Several when they tie, in the order in
 * which the terms and the store show them; empty when no genre is known. An app counts once for each term that it
 * ranks for.
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

/** A term represents the cluster if it shares at least this fraction of the highest count. */
const minShareOfMost = 0.75;

/**
 * The term whose results represent the cluster: the most searched one among the terms that share about as many
 * results with the others as any term does. A broader term (`planner` in a cluster about budgets) leads to other
 * apps, so its results say nothing about the cluster. Null without terms.
 * @param terms most traffic first
 */
export function representativeTerm(terms: readonly NicheTerm[]): NicheTerm | null {
  const tops = terms.map(({ top }) => new Set(top.slice(0, 10).map((app) => app.app_id)));
  const counts = documentFrequencies(tops);
  const shared = tops.map((apps) => [...apps].reduce((sum, app) => sum + (counts.get(app) ?? 0), 0));
  const most = shared.reduce((highest, count) => Math.max(highest, count), 0);
  return terms.find((_, at) => (shared[at] ?? 0) >= minShareOfMost * most) ?? null;
}
