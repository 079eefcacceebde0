import { countTexts } from './count-texts.ts';
import type { NicheTerm } from './niche-term.ts';

/** A term that shares so much of the most that any shares speaks for the cluster as well. */
const nearlyMost = 0.75;

/**
 * The term of a cluster whose results are those of the cluster: the most searched one of those that share about as many
 * results with the other terms as any does. A broader one (`planner` among budgets) leads elsewhere, and what is said of
 * its results is not true of the cluster. Null without terms.
 * @param terms most traffic first
 */
export function representativeOf(terms: readonly NicheTerm[]): NicheTerm | null {
  const tops = terms.map(({ top }) => new Set(top.slice(0, 10).map(({ app_id: appId }) => appId)));
  const counts = countTexts(tops);
  const shared = tops.map((apps) => [...apps].reduce((sum, app) => sum + (counts.get(app) ?? 0), 0));
  const most = shared.reduce((highest, count) => Math.max(highest, count), 0);
  return terms.find((_, at) => (shared[at] ?? 0) >= nearlyMost * most) ?? null;
}
