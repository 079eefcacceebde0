import { createHash } from 'node:crypto';
import { utcDay } from '@shelfwise/runtime/day';
import { slotOfNextDay } from '@shelfwise/runtime/jobs/daily-slot';

/** When the daily run reads a chart next. */
export type ChartPlan = {
  /** The slot of the next daily read. Lateness is measured from it. */
  planned_at: Date;
  /**
   * When the chart may be claimed: at `planned_at`, earlier for missing ratings, later while claimed or after a
   * failure.
   */
  due_at: Date;
  /** Consecutive failed reads. */
  failures: number;
  /** Attempts to read the missing ratings of the day's snapshot after its first read, including failed ones. */
  rating_tries: number;
};

const minuteMs = 60_000;
/**
 * The first delay exceeds the five minutes for which store-fetch caches a chart without ratings. The attempts are
 * limited, because a chart may consist of unrated apps.
 */
const ratingRetryMs = [6 * minuteMs, 60 * minuteMs, 240 * minuteMs];

/**
 * The plan of a chart with a snapshot of `day`: due in its slot of the next day. It is due earlier, on `day` itself,
 * when ratings are missing and attempts are left.
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

/** A 32-bit hash that spreads charts over the day. */
function toNumber(chartId: string): number {
  return createHash('sha256').update(chartId).digest().readUInt32BE(0);
}
