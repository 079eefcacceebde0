import { isDay } from '@shelfwise/runtime/day';

/**
 * The clock of a process on the sample, whose ranks and scores change from day to day. With a day (SAMPLE_DAY) it starts
 * at noon of it, so that checks compare equal values. Any other text: the system clock; the settings refuse it.
 */
export function createSampleClock(day: string | undefined): () => Date {
  if (day === undefined || !isDay(day)) return () => new Date();
  const noon = Date.parse(`${day}T12:00:00Z`);
  const startedAt = performance.now();
  return () => new Date(noon + performance.now() - startedAt);
}
