import { dayMs } from '@shelfwise/runtime/day';
import { clamp, logc, roundHalfUp } from '../curve.ts';
import { meanOf, weightedMean } from '../weights.ts';
import type { DifficultyParts } from './keyword-score.ts';
import type { TopResult } from './top-result.ts';

/** Strength, titles, share of apps that are not weak, quality, freshness; 1 together. (docs/scores.md, difficulty) */
export const difficultyWeights = { A: 0.55, T: 0.2, S: 0.15, Q: 0.05, F: 0.05 } as const;

export type Difficulty = { score: number; parts: DifficultyParts };

/** The share of the results, by weight, whose strength must be known. */
const minKnownShare = 0.5;
/** Tolerance for floating-point errors in sums. */
const tiny = 1e-12;

/**
 * How hard it is to rank in the top 10, 0 to 100, by the strength of the apps there (docs/scores.md, difficulty). A
 * result without a value is left out of that part's mean; a part without any value is left out of the total. The cap
 * keeps the score low when the first app has few ratings and the titles do not name the keyword. It does not apply if
 * that rating count is unknown. Null when the strength is known for less than half of the results, by weight, or no title is
 * known.
 * @param results the first ten results in the store's order; none: the score is 0, since there is no app to beat
 * @param now for the ages of the apps
 */
export function difficultyOf(results: readonly TopResult[], now: Date): Difficulty | null {
  const [first] = results;
  if (first === undefined) return { score: 0, parts: nothingToBeat };
  if (knownShare(results) < minKnownShare - tiny) return null;
  const titles = byResult(results, (result) => result.evidence);
  if (titles === null) return null;
  const parts = {
    A: byResult(results, strength),
    T: titles,
    S: byResult(results, (result) => fromRatings(result, (ratings) => logc(ratings, 2, 4))),
    Q: byResult(results, quality),
    F: byResult(results, (result) => freshness(result, now)),
  };
  const raw = 100 * (meanOf(difficultyWeights, parts) ?? 0);
  const cap = fromRatings(first, (ratings) => 15 + 85 * clamp(Math.log10(1 + ratings) / 4));
  const capped = cap !== null && raw > cap ? cap + (raw - cap) * parts.T : raw;
  return { score: roundHalfUp(Math.min(capped, 10 * results.length)), parts: { ...parts, raw, cap } };
}

const nothingToBeat: DifficultyParts = { A: null, T: 0, S: null, Q: null, F: null, raw: 0, cap: null };

/** The weight of the results whose strength is known, as a share of all. */
function knownShare(results: readonly TopResult[]): number {
  return byResult(results, (result) => (strength(result) === null ? 0 : 1)) ?? 0;
}

/** The mean over the results; the first counts most. Null: no result has a value. */
function byResult(
  results: readonly TopResult[],
  getValue: (result: TopResult) => number | null,
): number | null {
  return weightedMean(
    results.map((result, index) => ({ weight: 1 / Math.log2(index + 2), value: getValue(result) })),
  );
}

function fromRatings({ ratings }: TopResult, curve: (ratings: number) => number): number | null {
  return ratings === null ? null : curve(ratings);
}

function strength(result: TopResult): number | null {
  const rated = fromRatings(result, (ratings) => logc(ratings, 1, 6));
  const installed = result.installs === null ? null : logc(result.installs, 3, 9);
  return rated === null ? installed : Math.max(rated, installed ?? 0);
}

/** An app known to have no ratings gets 0 rather than unknown, so that its first rating cannot lower the score. */
function quality({ rating, ratings }: TopResult): number | null {
  if (ratings === 0) return 0;
  return rating === null || ratings === null ? null : clamp((rating - 3) / 1.8) * logc(ratings, 0, 2);
}

function freshness({ updated_at: updatedAt }: TopResult, now: Date): number | null {
  if (updatedAt === null) return null;
  const days = (now.getTime() - updatedAt.getTime()) / dayMs;
  return clamp(1 - (days - 30) / 335);
}
