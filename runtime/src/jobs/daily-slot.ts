import { dayMs, startOfDay } from '../day.ts';

const secondMs = 1000;
/** The last hour of the day is reserved for late jobs and retries. */
const spreadSeconds = 23 * 3600;

/**
 * The time at which an item is read on a UTC day (YYYY-MM-DD). An id has the same second every day; many ids are
 * spread evenly over the first 23 hours. Ids are integers, 0 or more.
 */
export function slotOf(id: number, day: string): Date {
  return new Date(startOfDay(day).getTime() + (mix(id) % spreadSeconds) * secondMs);
}

/** The slot on the day after `day`. */
export function slotOfNextDay(id: number, day: string): Date {
  return new Date(slotOf(id, day).getTime() + dayMs);
}

/** The 32-bit finalizer of MurmurHash3 (public domain, Austin Appleby). It spreads neighboring numbers apart. */
function mix(id: number): number {
  let hash = id >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
