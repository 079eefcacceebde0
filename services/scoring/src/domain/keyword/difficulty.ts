import { dayMs } from '@shelfwise/runtime/day';
import { clamp, logc, roundHalfUp } from '../curve.ts';
import { meanOf, weightedMean } from '../weights.ts';
import type { DifficultyParts } from './keyword-score.ts';
import type { Place } from './place.ts';

/** Strength, titles, share of apps that are not weak, quality, freshness; 1 together. (docs/scores.md, difficulty) */
export const difficultyWeights = { A: 0.55, T: 0.2, S: 0.15, Q: 0.05, F: 0.05 } as const;

export type Difficulty = { score: number; parts: DifficultyParts };

/** The share of the places, by weight, whose strength must be known. */
const minKnownShare = 0.5;
/** Tolerance for floating-point errors in sums. */
const tiny = 1e-12;

/**
 * How hard it is to rank in the top 10, 0 to 100, by the strength of the apps there (docs/scores.md, difficulty). A
 * place without a value is left out of that part's mean; a part without any value is left out of the total. The cap
 * keeps the score low when the first app has few ratings and the titles do not name the keyword. It does not apply if
 * that rating count is unknown. Null when the strength is known for less than half of the places, by weight, or no title is
 * known.
 * @param places the first ten results in the store's order; none: the score is 0, since there is no app to beat
 * @param now for the ages of the apps
 */
export function difficultyOf(places: readonly Place[], now: Date): Difficulty | null {
  const [first] = places;
  if (first === undefined) return { score: 0, parts: nothingToBeat };
  if (knownShare(places) < minKnownShare - tiny) return null;
  const titles = byPlace(places, (place) => place.evidence);
  if (titles === null) return null;
  const parts = {
    A: byPlace(places, strength),
    T: titles,
    S: byPlace(places, (place) => fromRatings(place, (ratings) => logc(ratings, 2, 4))),
    Q: byPlace(places, quality),
    F: byPlace(places, (place) => freshness(place, now)),
  };
  const raw = 100 * (meanOf(difficultyWeights, parts) ?? 0);
  const cap = fromRatings(first, (ratings) => 15 + 85 * clamp(Math.log10(1 + ratings) / 4));
  const capped = cap !== null && raw > cap ? cap + (raw - cap) * parts.T : raw;
  return { score: roundHalfUp(Math.min(capped, 10 * places.length)), parts: { ...parts, raw, cap } };
}

const nothingToBeat: DifficultyParts = { A: null, T: 0, S: null, Q: null, F: null, raw: 0, cap: null };

/** The weight of the places whose strength is known, as a share of all. */
function knownShare(places: readonly Place[]): number {
  return byPlace(places, (place) => (strength(place) === null ? 0 : 1)) ?? 0;
}

/** The mean over the places; the first counts most. Null: no place has a value. */
function byPlace(places: readonly Place[], getValue: (place: Place) => number | null): number | null {
  return weightedMean(
    places.map((place, index) => ({ weight: 1 / Math.log2(index + 2), value: getValue(place) })),
  );
}

function fromRatings({ ratings }: Place, curve: (ratings: number) => number): number | null {
  return ratings === null ? null : curve(ratings);
}

function strength(place: Place): number | null {
  const rated = fromRatings(place, (ratings) => logc(ratings, 1, 6));
  const installed = place.installs === null ? null : logc(place.installs, 3, 9);
  return rated === null ? installed : Math.max(rated, installed ?? 0);
}

/** An app known to have no ratings gets 0 rather than unknown, so that its first rating cannot lower the score. */
function quality({ rating, ratings }: Place): number | null {
  if (ratings === 0) return 0;
  return rating === null || ratings === null ? null : clamp((rating - 3) / 1.8) * logc(ratings, 0, 2);
}

function freshness({ updated_at: updatedAt }: Place, now: Date): number | null {
  if (updatedAt === null) return null;
  const days = (now.getTime() - updatedAt.getTime()) / dayMs;
  return clamp(1 - (days - 30) / 335);
}
