import type { DeletedAccountStore } from '@shelfwise/runtime/mongo/deleted-account-store';
import type { TrackedTermStore } from '../stores/tracked-term-store.ts';
import type { WatcherStore } from '../stores/watcher-store.ts';

type Deps = {
  deletedAccounts: Pick<DeletedAccountStore, 'findAmong'>;
  watchers: Pick<WatcherStore, 'deleteAccount'>;
  trackedTerms: Pick<TrackedTermStore, 'deleteAccount'>;
};

/**
 * Events of a deleted account may arrive after the deletion: repeated, late or replayed. Deletes the rows that their consumers have
 * written. Called after the write, because the account may be deleted while its events are handled. After a crash in between, they
 * are delivered again.
 */
export function createForgetDeletedAccounts({ deletedAccounts, watchers, trackedTerms }: Deps) {
  const never = new AbortController().signal;
  return async (messages: readonly { account_id: string }[]): Promise<void> => {
    const accountIds = new Set(messages.map((message) => message.account_id));
    for (const accountId of await deletedAccounts.findAmong([...accountIds])) {
      await watchers.deleteAccount(accountId, never);
      await trackedTerms.deleteAccount(accountId, never);
    }
  };
}
