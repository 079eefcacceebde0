import { countTexts } from './count-texts.ts';
import type { NicheTerm } from './niche-term.ts';

/**
 * The term of a cluster that shares the most results with the others: what is said of its results is true of the cluster
 * sooner than what its most searched term shows. Of equals the first; null without terms.
 * @param terms most traffic first
 */
export function representativeOf(terms: readonly NicheTerm[]): NicheTerm | null {
  const tops = terms.map((term) => ({
    term,
    apps: new Set(term.top.slice(0, 10).map(({ app_id }) => app_id)),
  }));
  const counts = countTexts(tops.map(({ apps }) => apps));
  let best: { term: NicheTerm; shared: number } | null = null;
  for (const { term, apps } of tops) {
    let shared = 0;
    for (const app of apps) shared += counts.get(app) ?? 0;
    if (best === null || shared > best.shared) best = { term, shared };
  }
  return best?.term ?? null;
}
