import type { ListingRead } from '@shelfwise/proto/tracking/v1/events';
import { utcDay } from '@shelfwise/runtime/day';
import type { AuditingParts } from '../auditing/auditing-parts.ts';

/** A listing was read and shows nothing new: its rating count of that day is known. */
export function createOnListingRead({ visibilityDays }: Pick<AuditingParts, 'visibilityDays'>) {
  return async ({ id, read_at, ratings }: ListingRead): Promise<void> => {
    if (read_at === null || ratings == null) return;
    await visibilityDays.keep([{ listingId: id, day: utcDay(read_at), ratings }]);
  };
}
