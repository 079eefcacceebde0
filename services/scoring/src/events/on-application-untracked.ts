import type { ApplicationUntracked } from '@shelfwise/proto/tracking/v1/events';
import type { WatcherStore } from '../stores/watcher-store.ts';

/**
 * An account stopped tracking an app. When no other account tracks it and it was not requested for two days, its listing
 * becomes dormant at its next audit.
 */
export function createOnApplicationUntracked({ watchers }: { watchers: Pick<WatcherStore, 'save'> }) {
  return async (untracked: ApplicationUntracked): Promise<void> => {
    const { id, at } = untracked;
    if (!at) throw new Error('the event does not say when the app was untracked');
    await watchers.save({ account_id: untracked.account_id, listing_id: id, active: false, at });
  };
}
