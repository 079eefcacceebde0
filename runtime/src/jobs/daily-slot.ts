import { dayMs, startOfDay } from '../day.ts';

const secondMs = 1000;
/** The last hour of a day is left for what did not get its turn in time. */
const spreadSeconds = 23 * 3600;

/**
 * When something is read from a store on a UTC day (YYYY-MM-DD): at the same second of every day for one id, and
 * spread evenly over the day's first 23 hours for many. Ids are whole numbers, 0 or greater.
 */
export function slotOf(id: number, day: string): Date {
  return new Date(startOfDay(day).getTime() + (mix(id) % spreadSeconds) * secondMs);
}

/** The same on the day after. */
export function slotOfNextDay(id: number, day: string): Date {
  return new Date(slotOf(id, day).getTime() + dayMs);
}

/** The finalizer of MurmurHash3 (public domain, Austin Appleby): neighboring numbers end up far apart. 32 bits. */
function mix(id: number): number {
  let hash = id >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
