import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@shelfwise/runtime/errors';
import type { Logger } from '@shelfwise/runtime/logger';
import { updatesPerCommand } from '@shelfwise/runtime/mongo-queries/updates-per-command';
import { createAccountLocks } from './account-locks.ts';
import { keywordUntracked } from './domain/tracking-events.ts';
import type { TrackedAppKey, TrackedAppStore } from './stores/tracked-app-store.ts';
import type { TrackedKeywordStore } from './stores/tracked-keyword-store.ts';

export type KeywordSweeper = ReturnType<typeof createKeywordSweeper>;

/**
 * Untracks the keywords of removed apps, each with its event. A sweep is due from the write that removes the app
 * until its last keyword is removed; whoever finds one due may finish it, also two processes at once.
 */
export function createKeywordSweeper(deps: {
  trackedApps: TrackedAppStore;
  trackedKeywords: TrackedKeywordStore;
  logger: Logger;
  now: () => Date;
  /** Told after an event was written. */
  wake: () => void;
}) {
  const { trackedApps, trackedKeywords, logger, now, wake } = deps;
  const turns = createAccountLocks();
  const inBackground = new Set<Promise<void>>();
  const stopping = new AbortController();

  async function removeBatch(app: TrackedAppKey, requestId: string): Promise<number> {
    const rows = await trackedKeywords.listActive(app, updatesPerCommand);
    if (rows.length === 0) return 0;
    const at = now();
    const removals = rows.map((row) => {
      const { account_id, keyword_id, listing_id: app_id } = row;
      return { row, event: keywordUntracked({ account_id, keyword_id, app_id }, { at, requestId }) };
    });
    await trackedKeywords.untrackMany(removals, at);
    wake();
    return rows.length;
  }

  /** Finishes the sweep of one app; nothing happens when none is due. Sweeps of an account take turns. */
  function sweep({ account_id, listing_id }: TrackedAppKey, requestId: string): Promise<void> {
    const key = { account_id, listing_id };
    return turns.withLock(account_id, async () => {
      for (let due = await trackedApps.findSweepDue(key); due; due = await trackedApps.findSweepDue(key)) {
        stopping.signal.throwIfAborted();
        if ((await removeBatch(key, requestId)) === 0) await trackedApps.endSweep(due);
      }
    });
  }

  function leave(app: TrackedAppKey, error: unknown): void {
    if (stopping.signal.aborted) return;
    const { account_id, listing_id } = app;
    logger.warn(
      { err: error, account_id, listing_id },
      'keywords of a removed application wait for a restart',
    );
  }

  return {
    sweep,

    /** Begins a sweep and waits for `ms` at most; the rest goes on in the background. It never fails. */
    async sweepFor(ms: number, app: TrackedAppKey, requestId: string): Promise<void> {
      const work = sweep(app, requestId).catch((error: unknown) => leave(app, error));
      inBackground.add(work);
      const isOver = new AbortController();
      const ended = work.finally(() => {
        inBackground.delete(work);
        isOver.abort();
      });
      const patience = sleep(ms, undefined, { signal: isOver.signal }).catch(() => {});
      await Promise.race([ended, patience]);
    },

    /** Finishes what a crash or a stop left undone. */
    async sweepAll(): Promise<void> {
      for (const app of await trackedApps.listSweepsDue()) await sweep(app, 'restart');
    },

    /** Ends each sweep after the batch that it is at, and leaves the rest to the next start. */
    async stop(): Promise<void> {
      stopping.abort(new AppError('SERVICE_UNAVAILABLE', 'The service is stopping. Try again.'));
      await Promise.all(inBackground);
    },
  };
}
