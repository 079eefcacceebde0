import { utcDay } from '@shelfwise/runtime/day';
import { slotOf, slotOfNextDay } from '@shelfwise/runtime/jobs/daily-slot';

/**
 * Whether an audit at this time is the daily audit of a listing: the first of a UTC day from the listing's own time on.
 * `last_daily_audit_day` is null before the first daily audit.
 */
export function dailyAuditOf(listing: { _id: number; last_daily_audit_day: string | null }, now: Date) {
  const { _id, last_daily_audit_day: lastDay } = listing;
  const day = utcDay(now);
  const slot = slotOf(_id, day);
  const isPastSlot = now >= slot;
  const isDailyAudit = isPastSlot && (lastDay === null || lastDay < day);
  return {
    day,
    isDailyAudit,
    lastDailyAuditDay: isDailyAudit ? day : lastDay,
    /** when the next daily audit is due */
    next: isPastSlot ? slotOfNextDay(_id, day) : slot,
  };
}
