import { createRandom } from '@shelfwise/runtime/random';
import type { Counts } from './spearman.ts';

/** A confidence interval. */
export type Interval = { low: number; high: number };

/** How the intervals of a report are made. The seed is fixed so that the same terms always have the same interval. */
export const bootstrapSettings = { confidence: 0.95, resamples: 2000, seed: 1 } as const;

/**
 * The percentile bootstrap: draws `size` items with replacement, `resamples` times, and takes the interval that holds the
 * middle `confidence` of the statistic's values. Draws for which the statistic is null (all values equal) are left out;
 * null when these are more than half.
 * @param statistic of a multiset: how often each of the `size` items was drawn
 */
export function bootstrapInterval(
  size: number,
  statistic: (counts: Counts) => number | null,
  settings: { confidence: number; resamples: number; seed: number } = bootstrapSettings,
): Interval | null {
  const { confidence, resamples, seed } = settings;
  const random = createRandom(seed);
  const values: number[] = [];
  const counts = new Uint32Array(size);
  for (let resample = 0; resample < resamples; resample++) {
    counts.fill(0);
    for (let i = 0; i < size; i++) {
      const drawn = random.below(size);
      counts[drawn] = (counts[drawn] ?? 0) + 1;
    }
    const value = statistic(counts);
    if (value !== null) values.push(value);
  }
  if (values.length === 0 || values.length < resamples / 2) return null;
  values.sort((a, b) => a - b);
  const tail = (1 - confidence) / 2;
  return { low: quantile(values, tail), high: quantile(values, 1 - tail) };
}

/** Between two values, on the straight line between them. */
function quantile(sorted: readonly number[], share: number): number {
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}
