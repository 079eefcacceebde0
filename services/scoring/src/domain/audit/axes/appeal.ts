import type { Store } from '@shelfwise/facts/stores/store';
import { alongPoints, logc, roundHalfUp } from '../../curve.ts';
import { weightedMean } from '../../weights.ts';
import type { AuditContext } from '../audit-input.ts';

/** The number of screenshots that a store displays well; more add nothing. */
export const screenshotTargets: Readonly<Record<Store, number>> = { ITUNES: 6, GPLAY: 8 };

/** [average rating, points] */
const ratingPoints = [
  [1, 5],
  [3, 20],
  [3.5, 35],
  [4, 50],
  [4.3, 70],
  [4.5, 85],
  [5, 100],
] as const;

/** [days since the update, points] */
const freshnessPoints = [
  [30, 100],
  [90, 80],
  [180, 50],
  [365, 20],
  [730, 5],
] as const;

/** The minimum of each part: in a geometric mean, a part of 0 would make the whole score 0. */
const floor = 5;

/** The app's ratings are mixed with ten of 3.5 before they are averaged, so that few ratings count little. */
const prior = { count: 10, rating: 3.5 };

/** The points for a video, and the most that further languages (1 point each) earn together. */
const maxBonus = 5;

/**
 * Appeal, 0 to 100: the weighted geometric mean of rating, screenshots and freshness, plus up to 5 points each for a
 * video and further languages. An unknown part (rating, screenshots, update date) is dropped and the other weights are
 * renormalized. An unknown video or unknown languages add nothing. (docs/scores.md, appeal)
 */
export function appealOf(store: Store, context: AuditContext): number {
  const { screenshots } = context;
  const points = [
    { weight: 0.45, value: context.is_rating_unread ? null : ratingPart(context) },
    {
      weight: 0.3,
      value: screenshots === null ? null : screenshotsPart(screenshots, screenshotTargets[store]),
    },
    { weight: 0.25, value: freshnessPart(context.days_since_update) },
  ];
  const parts = points.map(({ weight, value }) => ({
    weight,
    value: value === null ? null : Math.log(value),
  }));
  const mean = Math.exp(weightedMean(parts) ?? Math.log(floor));
  const video = context.has_video === true ? maxBonus : 0;
  const languages = Math.min(maxBonus, Math.max(0, (context.language_count ?? 1) - 1));
  return roundHalfUp(Math.min(100, mean + video + languages));
}

/** The average rating, above 0 and up to 5; null: unknown, or no ratings. */
export function ratingOf({
  rating,
  rating_count: ratingCount,
}: Pick<AuditContext, 'rating' | 'rating_count'>): number | null {
  return rating === 0 || ratingCount === 0 ? null : rating;
}

/** 5 to 100. If the rating count is unknown, the points of the average hold: neither mixed nor reduced. */
function ratingPart(context: AuditContext): number {
  const rating = ratingOf(context);
  if (rating === null) return floor;
  const count = context.rating_count;
  if (count === null) return alongPoints(ratingPoints, rating);
  const adjusted = (count * rating + prior.count * prior.rating) / (count + prior.count);
  return alongPoints(ratingPoints, adjusted) * Math.min(1, 0.5 + 0.5 * logc(count, 0, 2));
}

/** 5 to 100; each further screenshot adds less than the one before. */
function screenshotsPart(count: number, target: number): number {
  const missing = 1 - Math.min(1, count / target);
  return Math.max(floor, 100 * (1 - missing ** 2));
}

/** 5 to 100; null: the update date is unknown. */
function freshnessPart(days: number | null): number | null {
  return days === null ? null : alongPoints(freshnessPoints, days);
}
