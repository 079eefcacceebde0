import type { NicheTerm } from './niche-term.ts';
import { compareTerms } from './niche-term.ts';
import { jaccard, wordSetOf } from './word-set.ts';

/** The weights of shared results and shared words. (docs/scores.md, niches) */
const weights = { results: 0.7, words: 0.3 } as const;
/** A term joins a cluster if the average overlap of results and the average similarity are at least this. */
const defaultThreshold = 0.3;
/** Similarities are compared as whole billionths: values that are equal on paper are equal here. */
const billionth = 1_000_000_000;

/** A term prepared for comparison: the ids of its first ten apps, and its words (`wordSetOf`). */
export type ComparedTerm = { term: NicheTerm; apps: ReadonlySet<string>; words: ReadonlySet<string> };

/** `number`: clusters that were seeded earlier have a lower one. */
type Cluster = { number: number; members: ComparedTerm[] };

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
 * Groups terms that lead to the same apps. Two terms have the overlap `shared apps of the first ten / 10` and the
 * similarity `.7 * overlap + .3 * Jaccard of words`. In the given order each term joins the cluster with the highest
 * average similarity, ties the earlier one. Average overlap and average similarity must both reach the threshold;
 * otherwise it seeds a new cluster. (docs/scores.md, niches)
 *
 * Cost: an index from apps to clusters gives the average overlap without visiting members. Words are compared only with
 * members of clusters with enough overlap: n^2 / 2 comparisons at worst. Everything else is n log n.
 * @param terms in clustering order (`prepareTerms`)
 * @param threshold 0 to 1
 * @returns the members of each cluster, the seed first; the clusters in the order of their seeds in `terms`
 */
export function clusterTerms(
  terms: readonly ComparedTerm[],
  threshold: number = defaultThreshold,
): ComparedTerm[][] {
  const clusters: Cluster[] = [];
  const byApp = createAppIndex();
  for (const term of terms) {
    let cluster = mostSimilar(term, byApp.sharedBy(term), threshold);
    if (cluster === null) {
      cluster = { number: clusters.length, members: [] };
      clusters.push(cluster);
    }
    cluster.members.push(term);
    byApp.add(term, cluster);
  }
  return clusters.map(({ members }) => members);
}

/**
 * The cluster that the term joins; null: none is similar enough.
 * @param shared by cluster: the number of apps that the term shares with a member, summed over the members
 */
function mostSimilar(
  term: ComparedTerm,
  shared: ReadonlyMap<Cluster, number>,
  threshold: number,
): Cluster | null {
  let best: { cluster: Cluster; similarity: number } | null = null;
  for (const [cluster, sum] of shared) {
    if (inBillionths(sum / 10 / cluster.members.length) < inBillionths(threshold)) continue;
    const similarity = averageSimilarity(term, cluster, sum);
    if (similarity < inBillionths(threshold)) continue;
    const order = best === null ? -1 : best.similarity - similarity || cluster.number - best.cluster.number;
    if (order < 0) best = { cluster, similarity };
  }
  return best?.cluster ?? null;
}

/** In billionths. Members are added up in the order of joining: rounding errors are reproducible. */
function averageSimilarity(term: ComparedTerm, { members }: Cluster, shared: number): number {
  let words = 0;
  for (const member of members) words += jaccard(term.words, member.words);
  const sum = (weights.results * shared) / 10 + weights.words * words;
  return inBillionths(sum / members.length);
}

function inBillionths(x: number): number {
  return Math.round(billionth * x);
}

/** Counts, by app and cluster, the members that have the app among their first ten. */
function createAppIndex() {
  const counts = new Map<string, Map<Cluster, number>>();
  return {
    add({ apps }: ComparedTerm, cluster: Cluster): void {
      for (const app of apps) {
        const byCluster = counts.get(app) ?? new Map<Cluster, number>();
        byCluster.set(cluster, (byCluster.get(cluster) ?? 0) + 1);
        counts.set(app, byCluster);
      }
    },
    /** `shared` of `mostSimilar` for a term. Clusters without a shared app are absent. */
    sharedBy({ apps }: ComparedTerm): Map<Cluster, number> {
      const shared = new Map<Cluster, number>();
      for (const app of apps)
        for (const [cluster, count] of counts.get(app) ?? [])
          shared.set(cluster, (shared.get(cluster) ?? 0) + count);
      return shared;
    },
  };
}
