import type { ListingRead } from '@shelfwise/proto/tracking/v1/events';
import { utcDay } from '@shelfwise/runtime/day';
import type { AuditingParts } from '../auditing/auditing-parts.ts';

/** A listing that is followed was read and shows nothing new: its rating count of that day is known. */
export function createOnListingRead({
  visibilityDays,
  isFollowed,
}: Pick<AuditingParts, 'visibilityDays' | 'isFollowed'>) {
  return async ({ id, read_at, ratings }: ListingRead): Promise<void> => {
    if (read_at === null || ratings == null || !(await isFollowed(id))) return;
    await visibilityDays.keep([{ listingId: id, day: utcDay(read_at), ratings }]);
  };
}
