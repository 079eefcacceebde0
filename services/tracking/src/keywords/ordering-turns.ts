import { createAccountLocks } from '../accounts/account-locks.ts';

export type OrderingTurns = ReturnType<typeof createOrderingTurns>;

/**
 * Orders long lists one at a time within this process: each takes up to 0.3 s of CPU, and many at once would all miss
 * their deadlines. Accounts take turns, so that one with many calls does not hold up the others.
 */
export function createOrderingTurns() {
  const ofAccounts = createAccountLocks();
  // With a single key: an account that waits here has one place, which is what makes accounts take turns.
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
