import { createHash } from 'node:crypto';
import { utcDay } from '@shelfwise/runtime/day';
import { slotAfter } from '@shelfwise/runtime/jobs/daily-slot';

/** When a chart is read again by itself. */
export type ChartPlan = {
  /** The slot of the next day, by which a reading's lateness is told. */
  planned_at: Date;
  /** When it may be taken next: the same, earlier for missing ratings, later while it is taken or after a failure. */
  due_at: Date;
  /** How often it could not be read since the last time that it was. */
  failures: number;
  /** How often the ratings of the day's snapshot were asked for in vain, failures among them, its first reading not. */
  rating_tries: number;
};

const minuteMs = 60_000;
/** store-fetch keeps a chart without ratings for five minutes. A chart of apps without ratings is not asked for all day. */
const ratingsAgainMs = [6 * minuteMs, 60 * minuteMs, 240 * minuteMs];

/**
 * The plan of a chart whose snapshot of `day` is there: its slot of the next day; earlier, on that same day, when the
 * snapshot has no ratings and there were not too many tries for them.
 */
export function planAfter(
  chartId: string,
  snapshot: { day: string; hasRatings: boolean },
  now: Date,
  ratingTries = 0,
): ChartPlan {
  const next = slotAfter(toNumber(chartId), snapshot.day);
  const again = snapshot.hasRatings ? undefined : ratingsAgainMs[ratingTries];
  const ratingsAt = again === undefined ? null : new Date(now.getTime() + again);
  const isToday = ratingsAt !== null && utcDay(ratingsAt) === snapshot.day;
  return { planned_at: next, due_at: isToday ? ratingsAt : next, failures: 0, rating_tries: ratingTries };
}

/** 32 bits that spread charts over the day. */
function toNumber(chartId: string): number {
  return createHash('sha256').update(chartId).digest().readUInt32BE(0);
}
