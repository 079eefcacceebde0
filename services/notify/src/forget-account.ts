import { deleteRowsOfAccount } from '@shelfwise/runtime/service/delete-rows-of-account';
import type { createStores } from './create-stores.ts';

type Stores = ReturnType<typeof createStores>;

export type AccountStores = Pick<
  Stores,
  | 'rules'
  | 'alerts'
  | 'channels'
  | 'deliveries'
  | 'digests'
  | 'trackedApps'
  | 'trackedKeywords'
  | 'competitors'
  | 'accounts'
  | 'reservations'
  | 'deletedAccounts'
>;

/** The stores with rows of accounts, in the order in which these are deleted. */
export function accountRowsOf(stores: AccountStores) {
  const {
    trackedApps,
    trackedKeywords,
    competitors,
    rules,
    channels,
    deliveries,
    digests,
    alerts,
    accounts,
  } = stores;
  // Channels before deliveries: without a channel nothing is sent.
  const { reservations } = stores;
  return [
    trackedApps,
    trackedKeywords,
    competitors,
    rules,
    digests,
    channels,
    deliveries,
    alerts,
    accounts,
    reservations,
  ];
}

export type ForgetDeletedAccounts = ReturnType<typeof createForgetDeletedAccounts>;

/**
 * Events and calls of a deleted account may end after the deletion: repeated, late or replayed. Deletes the rows that they have
 * written. Called after the write, because the account may be deleted meanwhile. After a crash in between, an event is delivered
 * again. Returns those of the accounts that are deleted.
 */
export function createForgetDeletedAccounts(stores: AccountStores) {
  const never = new AbortController().signal;
  return async (accountIds: readonly string[]): Promise<string[]> => {
    if (accountIds.length === 0) return [];
    const deleted = await stores.deletedAccounts.findAmong([...new Set(accountIds)]);
    for (const accountId of deleted)
      await deleteRowsOfAccount(accountRowsOf(stores), { account_id: accountId }, { signal: never });
    return deleted;
  };
}
