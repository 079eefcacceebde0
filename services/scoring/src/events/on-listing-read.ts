import type { ListingRead } from '@shelfwise/proto/tracking/v1/events';
import type { AuditingParts } from '../auditing/auditing-parts.ts';

/** A listing was read and shows nothing new: its rating count of that day is known, whoever comes to follow it. */
export function createOnListingRead({
  visibilityDays,
  sourceGuard,
}: Pick<AuditingParts, 'visibilityDays' | 'sourceGuard'>) {
  return async ({ id, read_at: readAt, source, ratings }: ListingRead): Promise<void> => {
    if (readAt === null || ratings == null) return;
    await sourceGuard.admit(source);
    await visibilityDays.keepRatings(id, readAt, ratings);
  };
}
