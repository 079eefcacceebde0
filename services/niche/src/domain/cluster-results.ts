import { isCategory, overallCategory } from '@shelfwise/facts/stores/categories';
import type { Store } from '@shelfwise/facts/stores/store';
import type { NicheTerm } from './niche-term.ts';
import { documentFrequencies } from './word-set.ts';

/** `results` of the genre, and `known`: those of any known genre. */
export type MainGenre = { key: string; results: number; known: number };

/**
 * The most frequent genre among the first ten results of all terms. Several when they tie, in the order of the terms
 * and of their results; empty when no genre is known. An app counts once for each term that it ranks for.
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
  return [...counts]
    .filter(([, results]) => results === most)
    .map(([key, results]) => ({ key, results, known }));
}

/**
 * The searched terms of a cluster that name no brand; all terms if there are none.
 * @param terms most traffic first
 */
export function servedTerms(terms: readonly NicheTerm[]): readonly NicheTerm[] {
  const served = terms.filter((term) => term.isSearched && !term.isNavigational);
  return served.length > 0 ? served : terms;
}

/** A term may represent its cluster if its overlap is at least this fraction of the highest overlap. */
const minShareOfHighest = 0.75;

/**
 * The term whose results represent the cluster: the most searched one with nearly the highest overlap. Its overlap adds
 * up, over its first ten results, how many terms of the cluster have the app. A broader term (`planner` among budgets)
 * leads to other apps. Null without terms.
 * @param terms most traffic first
 */
export function representativeTerm(terms: readonly NicheTerm[]): NicheTerm | null {
  const tops = terms.map(({ top }) => new Set(top.slice(0, 10).map((app) => app.app_id)));
  const counts = documentFrequencies(tops);
  const overlaps = tops.map((apps) => [...apps].reduce((sum, app) => sum + (counts.get(app) ?? 0), 0));
  const highest = overlaps.reduce((max, overlap) => Math.max(max, overlap), 0);
  return terms.find((_, at) => (overlaps[at] ?? 0) >= minShareOfHighest * highest) ?? null;
}
