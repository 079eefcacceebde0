import type { DeletedAccountStore } from '../stores/deleted-account-store.ts';
import type { TrackedTermStore } from '../stores/tracked-term-store.ts';
import type { WatcherStore } from '../stores/watcher-store.ts';

type Deps = {
  deletedAccounts: Pick<DeletedAccountStore, 'has'>;
  watchers: Pick<WatcherStore, 'deleteAccount'>;
  trackedTerms: Pick<TrackedTermStore, 'deleteAccount'>;
};

/**
 * An event of a deleted account may arrive after the deletion: repeated, late or replayed. Wraps its consumer so that the rows
 * that it writes are deleted again. The check comes after the write, because the account may be deleted while the event is
 * handled. After a crash in between, the event is delivered again.
 */
export function createForgetDeletedAccount({ deletedAccounts, watchers, trackedTerms }: Deps) {
  const never = new AbortController().signal;
  return <Message extends { account_id: string }, Event>(
    consume: (message: Message, event: Event) => Promise<void>,
  ) =>
    async (message: Message, event: Event): Promise<void> => {
      await consume(message, event);
      const { account_id: accountId } = message;
      if (!(await deletedAccounts.has(accountId))) return;
      await watchers.deleteAccount(accountId, never);
      await trackedTerms.deleteAccount(accountId, never);
    };
}
