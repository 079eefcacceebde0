/**
 * How often each item of a sample counts: in a bootstrap, how often it was drawn. As long as the sample.
 */
export type Counts = ArrayLike<number>;

/** The ranks of the values from 1; equal values share the mean of their ranks. */
export function meanRanks(values: readonly number[]): number[] {
  const { groupOf, size } = groupEqual(values);
  const ranks = rankGroups(groupOf, size, new Uint32Array(values.length).fill(1));
  return Array.from(groupOf, (group) => ranks[group] ?? Number.NaN);
}

/**
 * Spearman's rank correlation of two samples of the same length, -1 to 1, with mean ranks for equal values; null when
 * the values of a sample are all equal, also when there is only one.
 */
export function spearman(a: readonly number[], b: readonly number[]): number | null {
  return createSpearman(a, b)(new Uint32Array(a.length).fill(1));
}

/**
 * As `spearman`, for many multisets of the same pairs: sorts once, after which each correlation takes time in proportion
 * to the number of pairs.
 */
export function createSpearman(
  a: readonly number[],
  b: readonly number[],
): (counts: Counts) => number | null {
  if (a.length !== b.length) throw new RangeError(`samples of ${a.length} and ${b.length} values`);
  const [groupsA, groupsB] = [groupEqual(a), groupEqual(b)];
  return (counts) => {
    const ranksA = rankGroups(groupsA.groupOf, groupsA.size, counts);
    const ranksB = rankGroups(groupsB.groupOf, groupsB.size, counts);
    let total = 0;
    for (let i = 0; i < a.length; i++) total += counts[i] ?? 0;
    const mean = (total + 1) / 2;
    let [varianceA, varianceB, covariance] = [0, 0, 0];
    for (let i = 0; i < a.length; i++) {
      const count = counts[i] ?? 0;
      const fromMeanA = (ranksA[groupsA.groupOf[i] ?? 0] ?? 0) - mean;
      const fromMeanB = (ranksB[groupsB.groupOf[i] ?? 0] ?? 0) - mean;
      varianceA += count * fromMeanA * fromMeanA;
      varianceB += count * fromMeanB * fromMeanB;
      covariance += count * fromMeanA * fromMeanB;
    }
    if (varianceA === 0 || varianceB === 0) return null;
    // Rounding may lead beyond the range by a tiny amount.
    return Math.max(-1, Math.min(1, covariance / Math.sqrt(varianceA * varianceB)));
  };
}

type Groups = { /** the group of each value, from 0 */ groupOf: Int32Array; size: number };

/** Groups equal values, in ascending order. */
function groupEqual(values: readonly number[]): Groups {
  const indexes = Array.from(values, (_value, index) => index);
  indexes.sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const groupOf = new Int32Array(values.length);
  let group = -1;
  let previous: number | undefined;
  for (const index of indexes) {
    if (group < 0 || values[index] !== previous) group++;
    previous = values[index];
    groupOf[index] = group;
  }
  return { groupOf, size: group + 1 };
}

/** The mean rank of each group when its values count as often as `counts` says. */
function rankGroups(groupOf: Int32Array, size: number, counts: Counts): Float64Array {
  const ranks = new Float64Array(size);
  for (let i = 0; i < groupOf.length; i++) {
    const group = groupOf[i] ?? 0;
    ranks[group] = (ranks[group] ?? 0) + (counts[i] ?? 0);
  }
  let before = 0;
  for (let group = 0; group < size; group++) {
    const inGroup = ranks[group] ?? 0;
    ranks[group] = before + (inGroup + 1) / 2;
    before += inGroup;
  }
  return ranks;
}
