import { createHash } from 'node:crypto';
import { utcDay } from '@shelfwise/runtime/day';
import { slotOfNextDay } from '@shelfwise/runtime/jobs/daily-slot';

/** When a chart is read again by itself. */
export type ChartPlan = {
  /** The slot of the next day; a read is late relative to it. */
  planned_at: Date;
  /** When it may be claimed next: the same, earlier for missing ratings, later while it is leased or after a failure. */
  due_at: Date;
  /** How often it could not be read since its last successful read. */
  failures: number;
  /** How often the ratings of the day's snapshot were requested in vain, failures included, its first read not. */
  rating_tries: number;
};

const minuteMs = 60_000;
/** store-fetch caches a chart without ratings for five minutes. A chart of unrated apps is not requested all day long. */
const ratingRetryMs = [6 * minuteMs, 60 * minuteMs, 240 * minuteMs];

/**
 * The plan of a chart that has a snapshot of `day`: its slot of the next day; earlier, on that same day, when the
 * snapshot has no ratings and there were not too many tries for them.
 */
export function planAfter(
  chartId: string,
  snapshot: { day: string; hasRatings: boolean },
  now: Date,
  ratingTries = 0,
): ChartPlan {
  const next = slotOfNextDay(toNumber(chartId), snapshot.day);
  const retryMs = snapshot.hasRatings ? undefined : ratingRetryMs[ratingTries];
  const ratingsAt = retryMs === undefined ? null : new Date(now.getTime() + retryMs);
  const isToday = ratingsAt !== null && utcDay(ratingsAt) === snapshot.day;
  return { planned_at: next, due_at: isToday ? ratingsAt : next, failures: 0, rating_tries: ratingTries };
}

/** 32 bits that spread charts over the day. */
function toNumber(chartId: string): number {
  return createHash('sha256').update(chartId).digest().readUInt32BE(0);
}
