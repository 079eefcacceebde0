import { StoreFailure } from '../../store-failure.ts';
import { valueAt } from './value-at.ts';

/** Positions within an app's details. */
const places = { score: [51, 0, 1], ratings: [51, 2, 1], histogram: [51, 1] } as const;

/** The two counts are made at different times and differ by one or two percent. */
const tolerance = { share: 0.1, ratings: 10 } as const;

/**
 * Refuses details whose average and number of ratings do not match: one without the other, or a number that differs
 * from the sum of the single stars (the number of reviews is next to it). An app without ratings has neither.
 * @throws StoreFailure `malformed`
 */
export function refuseInconsistentRating(details: unknown): void {
  const score = valueAt(details, places.score) ?? null;
  const ratings = valueAt(details, places.ratings) ?? null;
  if (score === null && ratings === null) return;
  if (score === null) throw inconsistentRating('ratings without their average');
  if (ratings === null) throw inconsistentRating('an average without the number of ratings');
  if (typeof score !== 'number' || typeof ratings !== 'number')
    throw inconsistentRating('ratings that are not numbers');
  if (ratings > 0 && score < 1) throw inconsistentRating(`${ratings} ratings of ${score} on average`);
  const counted = countStars(details);
  if (
    counted !== null &&
    Math.abs(counted - ratings) > Math.max(tolerance.ratings, ratings * tolerance.share)
  )
    throw inconsistentRating(`${ratings} ratings, but ${counted} by their stars`);
}

/** Null when the page does not count each star. */
function countStars(details: unknown): number | null {
  const counts = [1, 2, 3, 4, 5].map((stars) => valueAt(details, [...places.histogram, stars, 1]));
  const known = counts.filter((count) => typeof count === 'number');
  return known.length === counts.length ? known.reduce((sum, count) => sum + count, 0) : null;
}

function inconsistentRating(what: string): StoreFailure {
  return new StoreFailure('malformed', `sent an app's page with ${what} (ds:5)`);
}
