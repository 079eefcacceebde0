import { type ComparedTerm, clusterTerms } from './cluster-terms.ts';

const minTerms = 12;
/** A cluster with more than this share of all terms is clustered again. */
const maxShare = 0.5;
/** The thresholds of the second and third try, instead of .3. */
const stricter = [0.45, 0.6] as const;

/**
 * Clusters again what holds more than half of all terms, first with a stricter threshold, then with the strictest. What
 * holds together even so stays one cluster. Fewer than 12 terms are not split. (docs/scores.md, niches)
 * @param clusters as from `clusterTerms`, of all terms
 */
export function splitLargeClusters(clusters: readonly ComparedTerm[][]): ComparedTerm[][] {
  const terms = clusters.reduce((sum, members) => sum + members.length, 0);
  if (terms < minTerms) return [...clusters];
  const isLarge = (members: readonly ComparedTerm[]) => members.length > maxShare * terms;
  return stricter.reduce<ComparedTerm[][]>(
    (all, threshold) =>
      all.flatMap((members) => (isLarge(members) ? clusterTerms(members, threshold) : [members])),
    [...clusters],
  );
}
