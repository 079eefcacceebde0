import { dayMs, startOfDay, utcDay } from '@shelfwise/runtime/day';
import { z } from 'zod';
import * as shapes from './shapes.ts';

/** How old the rank of a row is. */
export const rankAge = {
  rank_date: shapes.date.meta({ description: 'UTC day on which the store was read for the rank.' }),
  stale: z.boolean().meta({
    description:
      'Whether rank_date is before yesterday (UTC): the store could not be read since, or is not read every day for this keyword.',
    examples: [false],
  }),
};

/** When the scores of a row were computed. */
export const scoredAt = shapes.timestamp.nullable().meta({
  description: 'When the scores were computed; null when they are not measured yet.',
});

/** The same for a keyword that the account may not track. */
export const scoredOnDay = shapes.timestamp.nullable().meta({
  description: 'When the scores were computed, to the day (UTC); null when they are not measured yet.',
});

/**
 * When something was read or computed for a keyword, as a caller sees it: to the day (UTC), unless the account tracks the
 * keyword. A keyword may be one that another account has just set, such as a word of its keywords field. An exact time
 * would tell a caller who guesses the word when it was set.
 */
export function shownTime(at: Date | null | undefined, { isTracked }: { isTracked: boolean }): Date | null {
  if (at == null) return null;
  return isTracked ? at : startOfDay(utcDay(at));
}

/** As `shownTime`, of a keyword that the account may not track. */
export function shownDay(at: Date | null | undefined): string | null {
  return shownTime(at, { isTracked: false })?.toISOString() ?? null;
}

/** Next to a ranking. */
export const resultCount = z
  .int()
  .min(0)
  .meta({ description: 'Number of results on the page that was read.', examples: [87] });

/** Whether a day (YYYY-MM-DD, UTC) is before yesterday; null, because nothing was read, is stale, too. */
export function isStale(day: string | null, now: Date): boolean {
  return day === null || day < utcDay(new Date(now.getTime() - dayMs));
}
