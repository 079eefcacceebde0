import { dayMs, startOfDay, utcDay } from '@shelfwise/runtime/day';

/** The UTC day (YYYY-MM-DD) so many days before another. */
export function daysBefore(day: string, count: number): string {
  return utcDay(new Date(startOfDay(day).getTime() - count * dayMs));
}
