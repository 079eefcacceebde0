import type { NicheTerm } from './niche-term.ts';
import { compareTerms, compareText } from './niche-term.ts';
import { jaccard, wordSetOf } from './word-set.ts';

/** What the two kinds of likeness weigh. (spec: scoring, niche analysis) */
const weights = { results: 0.7, words: 0.3 } as const;
/** The least average overlap of results, and the least average similarity, with a cluster that a term joins. */
const minSimilarity = 0.3;
/** Similarities are compared as whole billionths, so that what is equal on paper is equal here. */
const billionth = 1_000_000_000;

/** A term as it is compared: its apps, each once, and its words. */
export type ComparedTerm = { term: NicheTerm; apps: ReadonlySet<string>; words: ReadonlySet<string> };

type Cluster = { name: string; members: ComparedTerm[] };

/**
 * The terms in the order in which they are clustered: most traffic first, ties in the order of the normal form.
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
 * Terms that lead to the same apps, together: similarity = .7 * shared apps of the first ten / 10 + .3 * Jaccard of words.
 * In the order given each term joins the cluster with the highest average similarity, where both the average overlap of
 * results and the average similarity are at least .3, or seeds one; ties go to the cluster whose seed comes first in the
 * order of the normal form (spec: scoring, niche analysis). The first of a cluster is its seed.
 *
 * Cost: apps lead to the clusters that hold them, whose counts per app give the average overlap without a look at their
 * members: 10 times the clusters of an app for each term. Only where the overlap suffices are the words compared with each
 * member's. This step is pairwise: n^2 / 2 at worst, when all terms are in one cluster. All the rest is n log n.
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

/** @param shared clusters, and how many apps the term shares with their members, summed over these */
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

/** In billionths. The members stand in the order in which they joined, so that the sum is always the same. */
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
