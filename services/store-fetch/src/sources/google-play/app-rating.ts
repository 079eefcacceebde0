import { valueAt } from './value-at.ts';

/** Paths within an app's details. */
const paths = { rating: [51], score: [51, 0, 1], ratings: [51, 2, 1], histogram: [51, 1] } as const;

/** The two counts are made at different times and differ by one or two percent. */
const tolerance = { share: 0.1, ratings: 10 } as const;

/**
 * Whether the average and the number of ratings of an app's details can be believed. They cannot if one comes alone, or
 * the number is not the sum of the single stars (the number of reviews is next to it). An app without ratings has
 * neither: its whole part of the details is null.
 */
export function isRatingReadable(details: unknown): boolean {
  const rating = valueAt(details, paths.rating) ?? null;
  if (rating === null) return true;
  const [score, ratings] = [valueAt(details, paths.score), valueAt(details, paths.ratings)];
  if (typeof score !== 'number' || !(score >= 0 && score <= 5)) return false;
  if (typeof ratings !== 'number' || !Number.isSafeInteger(ratings) || ratings < 0) return false;
  if (ratings > 0 && score < 1) return false;
  const counted = countStars(details);
  return (
    counted === null || Math.abs(counted - ratings) <= Math.max(tolerance.ratings, ratings * tolerance.share)
  );
}

/** Null when the page does not count each star. */
function countStars(details: unknown): number | null {
  const counts = [1, 2, 3, 4, 5].map((stars) => valueAt(details, [...paths.histogram, stars, 1]));
  const known = counts.filter((count) => typeof count === 'number');
  return known.length === counts.length ? known.reduce((sum, count) => sum + count, 0) : null;
}
