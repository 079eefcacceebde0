import { utcDay } from '@shelfwise/runtime/day';
import { slotOf, slotOfNextDay } from '@shelfwise/runtime/jobs/daily-slot';
import type { ListingContent } from './listing.ts';

/**
 * When a keyword is read next: in its slot of the first UTC day, from today on, of which it has no snapshot. That moment
 * may be past: then it is due. `lastDay` is the day of its newest snapshot, null when it has none.
 */
export function nextReading(id: number, lastDay: string | null, today: string): Date {
  return lastDay !== null && lastDay >= today ? slotOfNextDay(id, lastDay) : slotOf(id, today);
}

/** When a listing is read next that an account starts to track: at once while its subtitle is not known. */
export function nextReadingOfNewListing(
  id: number,
  listing: Pick<ListingContent, 'subtitle' | 'read_at'>,
  now: Date,
): Date {
  return listing.subtitle === null ? now : slotOfNextDay(id, utcDay(listing.read_at));
}

/**
 * When a listing is read next after the store was called for it on a UTC day: on the day after, even if the answer was
 * incomplete. A reading that crossed midnight counts for the day on which it ended.
 */
export function nextReadingOfListing(id: number, readAt: Date, calledOn: string): Date {
  const readOn = utcDay(readAt);
  return slotOfNextDay(id, readOn > calledOn ? readOn : calledOn);
}
