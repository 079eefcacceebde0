import type { NicheTerm } from './niche-term.ts';
import { compareTerms, compareText } from './niche-term.ts';
import { jaccard, wordSetOf } from './word-set.ts';

/** The weights of shared results and shared words. (docs/scores.md, niches) */
const weights = { results: 0.7, words: 0.3 } as const;
/** A term joins a cluster if the average overlap of results and the average similarity are at least this. */
const minSimilarity = 0.3;
/** Similarities are compared as whole billionths, so that values that are equal on paper are equal here. */
const billionth = 1_000_000_000;

/** A term prepared for comparison: its distinct apps and words. */
export type ComparedTerm = { term: NicheTerm; apps: ReadonlySet<string>; words: ReadonlySet<string> };

type Cluster = { name: string; members: ComparedTerm[] };

/**
 * Returns the terms in clustering order: most traffic first, ties in the order of the normal form.
 * @param lang BCP 47
 */
export function prepareTerms(terms: readonly NicheTerm[], lang: string): ComparedTerm[] {
  return [...terms].sort(compareTerms).map((term) => ({
    term,
    apps: new Set(term.top.slice(0, 10).map((app) => app.app_id)),
    words: wordSetOf(term.keyword, lang),
  }));
}

/**
 * Groups terms that lead to the same apps. Similarity = .7 * shared apps of the first ten / 10 + .3 * Jaccard of
 * words. In the given order each term joins the cluster with the highest average similarity, provided the average
 * overlap of results and the average similarity are both at least .3; otherwise it seeds a new cluster. Ties go to
 * the cluster whose seed comes first in the order of the normal form (docs/scores.md, niches). The seed is the
 * first member.
 *
 * Cost: an index from apps to clusters gives the average overlap without visiting members, in 10 times the clusters
 * of an app per term. Words are compared with each member only where the overlap suffices. This pairwise step takes
 * n^2 / 2 comparisons at worst, when all terms are in one cluster. Everything else is n log n.
 */
export function clusterTerms(terms: readonly ComparedTerm[]): NicheTerm[][] {
  const clusters: Cluster[] = [];
  const byApp = createAppIndex();
  for (const term of terms) {
    let cluster = mostSimilar(term, byApp.sharedBy(term));
    if (cluster === null) {
      cluster = { name: term.term.keyword, members: [] };
      clusters.push(cluster);
    }
    cluster.members.push(term);
    byApp.add(term, cluster);
  }
  return clusters.map(({ members }) => members.map(({ term }) => term));
}

/** @param shared per cluster, the number of apps that the term shares with each member, summed over the members */
function mostSimilar(term: ComparedTerm, shared: ReadonlyMap<Cluster, number>): Cluster | null {
  let best: { cluster: Cluster; similarity: number } | null = null;
  for (const [cluster, sum] of shared) {
    if (sum < 10 * minSimilarity * cluster.members.length) continue;
    const similarity = averageSimilarity(term, cluster, sum);
    if (similarity < minSimilarity * billionth) continue;
    const order =
      best === null ? -1 : best.similarity - similarity || compareText(cluster.name, best.cluster.name);
    if (order < 0) best = { cluster, similarity };
  }
  return best?.cluster ?? null;
}

/** In billionths. Members are in the order in which they joined, so that the sum is always the same. */
function averageSimilarity(term: ComparedTerm, { members }: Cluster, shared: number): number {
  let words = 0;
  for (const member of members) words += jaccard(term.words, member.words);
  const sum = (weights.results * shared) / 10 + weights.words * words;
  return Math.round((billionth * sum) / members.length);
}

function createAppIndex() {
  const counts = new Map<string, Map<Cluster, number>>();
  return {
    add({ apps }: ComparedTerm, cluster: Cluster): void {
      for (const app of apps) {
        const ofApp = counts.get(app) ?? new Map<Cluster, number>();
        ofApp.set(cluster, (ofApp.get(cluster) ?? 0) + 1);
        counts.set(app, ofApp);
      }
    },
    sharedBy({ apps }: ComparedTerm): Map<Cluster, number> {
      const shared = new Map<Cluster, number>();
      for (const app of apps)
        for (const [cluster, count] of counts.get(app) ?? [])
          shared.set(cluster, (shared.get(cluster) ?? 0) + count);
      return shared;
    },
  };
}
