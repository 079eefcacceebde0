import type { ApplicationTracked } from '@shelfwise/proto/tracking/v1/events';
import type { EventRecord } from '@shelfwise/runtime/events/event-bus';
import type { AuditingParts } from '../auditing/auditing-parts.ts';

/**
 * An account tracks an app: its listing is audited at once, from the newest that is known, be it of a reading that came
 * before this event. The event of an earlier version carries no listing: unless one is known, its next change or the first
 * one who asks brings it.
 */
export function createOnApplicationTracked({
  auditor,
  watchers,
}: Pick<AuditingParts, 'auditor' | 'watchers'>) {
  return async (
    { account_id: accountId, id, at, listing }: ApplicationTracked,
    event: Pick<EventRecord, 'id' | 'requestId'>,
  ): Promise<void> => {
    if (!at) throw new Error('the event does not say when the app was tracked');
    const isWatched = await watchers.put({ account_id: accountId, listing_id: id, active: true, at });
    if (!isWatched) return;
    if (listing) await auditor.onTracked(listing, event.requestId ?? event.id);
    else await auditor.follow(id, at);
  };
}
