import { createLocksByKey } from './locks-by-key.ts';

/** Runs work that holds the thread for long, one at a time within this process, and callers in turn. */
export function createFairTurns() {
  const ofCallers = createLocksByKey();
  // With a single key. A caller waits here once, so that callers take turns.
  const ofAll = createLocksByKey();
  /** @throws the signal's reason when it fires before the turn */
  return <Result>(callerId: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> =>
    ofCallers.withLock(callerId, async () => {
      signal.throwIfAborted();
      return ofAll.withLock('all', async () => {
        signal.throwIfAborted();
        return work();
      });
    });
}
