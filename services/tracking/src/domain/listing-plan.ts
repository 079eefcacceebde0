import { utcDay } from '@shelfwise/runtime/day';
import { slotAfter } from '@shelfwise/runtime/jobs/daily-slot';
import type { ListingContent } from './listing.ts';

type Known = Pick<ListingContent, 'subtitle' | 'read_at'>;

/** When a listing that somebody has begun to track is read next: at once while its subtitle is not known. */
export function planWatched(id: number, { subtitle, read_at: readAt }: Known, now: Date): Date {
  return subtitle === null ? now : slotAfter(id, utcDay(readAt));
}

/**
 * When a listing is read next that was asked for on a UTC day: on the day after, whatever of it could be read. A
 * reading that crossed midnight counts for the day that it ended on.
 */
export function planRead(id: number, { read_at: readAt }: Pick<Known, 'read_at'>, askedOn: string): Date {
  const readOn = utcDay(readAt);
  return slotAfter(id, readOn > askedOn ? readOn : askedOn);
}
