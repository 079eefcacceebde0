import type { ApplicationUntracked } from '@shelfwise/proto/tracking/v1/events';
import type { AuditingParts } from '../auditing/auditing-parts.ts';

/** An account tracks an app no more. When no other does, its listing is dormant once its turn comes. */
export function createOnApplicationUntracked({ watchers }: Pick<AuditingParts, 'watchers'>) {
  return async ({ account_id: accountId, id, at }: ApplicationUntracked): Promise<void> => {
    if (!at) throw new Error('the event does not say when the app was untracked');
    await watchers.put({ account_id: accountId, listing_id: id, active: false, at });
  };
}
