import { createAccountLocks } from '../accounts/account-locks.ts';

export type OrderingTurns = ReturnType<typeof createOrderingTurns>;

/**
 * Orders long lists, and compares ranks around changes, one at a time within this process, and accounts in turn. A list takes up
 * to 0.3 s of CPU, changes up to 3: many at once would all miss their deadlines.
 */
export function createOrderingTurns() {
  const ofAccounts = createAccountLocks();
  // With a single key. An account waits here once, so that accounts take turns.
  const ofAll = createAccountLocks();
  return {
    /** @throws the signal's reason when it fires before the turn */
    take: <Result>(accountId: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> =>
      ofAccounts.withLock(accountId, async () => {
        signal.throwIfAborted();
        return ofAll.withLock('all', async () => {
          signal.throwIfAborted();
          return work();
        });
      }),
  };
}
