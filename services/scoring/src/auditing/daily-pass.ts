import { utcDay } from '@shelfwise/runtime/day';
import { slotOf, slotOfNextDay } from '@shelfwise/runtime/jobs/daily-slot';

/**
 * Where a listing stands in its daily passes: each UTC day has one, the first audit at or after the listing's own moment
 * of the day. `passed_day` is the day of the last one, null before the first.
 */
export function dailyPassOf(
  { _id, passed_day: passedDay }: { _id: number; passed_day: string | null },
  now: Date,
) {
  const day = utcDay(now);
  const slot = slotOf(_id, day);
  const isPastSlot = now >= slot;
  const isDailyPass = isPastSlot && (passedDay === null || passedDay < day);
  return {
    day,
    isDailyPass,
    passed_day: isDailyPass ? day : passedDay,
    /** When the next one comes. */
    next: isPastSlot ? slotOfNextDay(_id, day) : slot,
  };
}
