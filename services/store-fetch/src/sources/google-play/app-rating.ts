import { StoreFailure } from '../store-failure.ts';
import { valueAt } from './value-at.ts';

/** Within an app's details. */
const places = { score: [51, 0, 1], ratings: [51, 2, 1], histogram: [51, 1] } as const;

/** The two are counted at different times: they differ by a percent or two. */
const tolerance = { share: 0.1, ratings: 10 } as const;

/**
 * Refuses details in which the average and the number of ratings do not belong together: one without the other, or a
 * number that is not that of the single stars (the number of reviews stands beside it). Neither: nobody has rated it.
 * @throws StoreFailure `malformed`
 */
export function refuseInconsistentRating(details: unknown): void {
  const score = valueAt(details, places.score) ?? null;
  const ratings = valueAt(details, places.ratings) ?? null;
  if (score === null && ratings === null) return;
  if (score === null) throw inconsistentRating('ratings without their average');
  if (ratings === null) throw inconsistentRating('an average without the number of ratings');
  if (typeof score !== 'number' || typeof ratings !== 'number')
    throw inconsistentRating('ratings that are no numbers');
  if (ratings > 0 && score < 1) throw inconsistentRating(`${ratings} ratings of ${score} on average`);
  const counted = countStars(details);
  if (
    counted !== null &&
    Math.abs(counted - ratings) > Math.max(tolerance.ratings, ratings * tolerance.share)
  )
    throw inconsistentRating(`${ratings} ratings, but ${counted} by their stars`);
}

/** Null where it does not tell the stars apart. */
function countStars(details: unknown): number | null {
  const counts = [1, 2, 3, 4, 5].map((stars) => valueAt(details, [...places.histogram, stars, 1]));
  const known = counts.filter((count) => typeof count === 'number');
  return known.length === counts.length ? known.reduce((sum, count) => sum + count, 0) : null;
}

function inconsistentRating(what: string): StoreFailure {
  return new StoreFailure('malformed', `sent an app's page with ${what} (ds:5)`);
}
