import { createAccountLocks } from '../accounts/account-locks.ts';

export type OrderingTurns = ReturnType<typeof createOrderingTurns>;

/**
 * Orders long lists (`take`), and compares ranks around changes (`compare`): of each kind one at a time within this process, and
 * accounts in turn. A list takes up to 0.3 s of CPU, changes up to 3: many at once would all miss their deadlines, and so would
 * a list behind two comparisons.
 */
export function createOrderingTurns() {
  return { take: createTurns(), compare: createTurns() };
}

function createTurns() {
  const ofAccounts = createAccountLocks();
  // With a single key. An account waits here once, so that accounts take turns.
  const ofAll = createAccountLocks();
  /** @throws the signal's reason when it fires before the turn */
  return <Result>(accountId: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> =>
    ofAccounts.withLock(accountId, async () => {
      signal.throwIfAborted();
      return ofAll.withLock('all', async () => {
        signal.throwIfAborted();
        return work();
      });
    });
}
