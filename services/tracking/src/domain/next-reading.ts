import { slotOf, slotOfNextDay } from '@shelfwise/runtime/jobs/daily-slot';

/**
 * When a market is read next: at its moment of the first UTC day, from today on, of which it has no snapshot. That
 * moment may be past: then it is due. `lastDay` is the day of its newest snapshot, null when it has none.
 */
export function nextReading(id: number, lastDay: string | null, today: string): Date {
  return lastDay !== null && lastDay >= today ? slotOfNextDay(id, lastDay) : slotOf(id, today);
}
