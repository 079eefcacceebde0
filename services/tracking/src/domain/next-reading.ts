import { utcDay } from '@shelfwise/runtime/day';
import { slotOf, slotOfNextDay } from '@shelfwise/runtime/jobs/daily-slot';
import type { ListingReading } from './listing.ts';

/**
 * When a keyword is read next: in its slot of the first UTC day, from `today` on, that has no snapshot. The result
 * may be in the past: the keyword is then due. `lastDay` is the day of its newest snapshot, null when it has none.
 */
export function nextReading(id: number, lastDay: string | null, today: string): Date {
  return lastDay !== null && lastDay >= today ? slotOfNextDay(id, lastDay) : slotOf(id, today);
}

/** When a listing is read next after an account starts to track it: immediately while its subtitle is unknown. */
export function nextReadingOfNewListing(
  id: number,
  listing: Pick<ListingReading, 'subtitle' | 'read_at'>,
  now: Date,
): Date {
  return listing.subtitle === null ? now : slotOfNextDay(id, utcDay(listing.read_at));
}

/**
 * When a listing is read next after a call on the UTC day `calledOn`: the next day, even if the answer was incomplete.
 * A reading across midnight counts for the day on which it ended.
 */
export function nextReadingOfListing(id: number, readAt: Date, calledOn: string): Date {
  const readOn = utcDay(readAt);
  return slotOfNextDay(id, readOn > calledOn ? readOn : calledOn);
}
