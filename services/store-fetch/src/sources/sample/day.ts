import { dayMs } from '@shelfwise/runtime/day';

/** UTC days since 1970-01-01: the catalog's only clock. */
export function dayOf(date: Date | string): number {
  return Math.floor(new Date(date).getTime() / dayMs);
}

/** A time within a UTC day; `share` is from 0 (midnight) to 1. */
export function momentOf(day: number, share: number): Date {
  return new Date((day + share) * dayMs - (((day + share) * dayMs) % 1000));
}
