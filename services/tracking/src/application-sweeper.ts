import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@shelfwise/runtime/errors';
import type { Logger } from '@shelfwise/runtime/logger';
import { updatesPerCommand } from '@shelfwise/runtime/mongo/batch-sizes';
import { createAccountLocks } from './account-locks.ts';
import { keywordUntracked } from './domain/tracking-events.ts';
import type { Competitor, CompetitorStore } from './stores/competitor-store.ts';
import type { TrackedAppKey, TrackedAppStore } from './stores/tracked-app-store.ts';
import type { TrackedKeyword, TrackedKeywordStore } from './stores/tracked-keyword-store.ts';

/** What a batch of a sweep removes. */
type Swept = { keywords: readonly TrackedKeyword[]; relations: readonly Competitor[] };

/**
 * Untracks the competitors of removed apps, and their keywords, each with its event. A sweep is due from the write that
 * removes the app until its last keyword is removed; whoever finds one due may finish it, also two processes at once.
 */
export function createApplicationSweeper(deps: {
  trackedApps: TrackedAppStore;
  trackedKeywords: TrackedKeywordStore;
  competitors: CompetitorStore;
  logger: Logger;
  now: () => Date;
  /** Told after an event was written. */
  wake: () => void;
}) {
  const { trackedApps, trackedKeywords, competitors, logger, now, wake } = deps;
  const turns = createAccountLocks();
  const inBackground = new Set<Promise<void>>();
  const stopping = new AbortController();

  /** At most one command each. */
  async function readActive(app: TrackedAppKey): Promise<Swept> {
    const [keywords, relations] = await Promise.all([
      trackedKeywords.listActive(app, updatesPerCommand),
      competitors.listActive(app, updatesPerCommand),
    ]);
    return { keywords, relations };
  }

  async function remove({ keywords, relations }: Swept, requestId: string): Promise<void> {
    const at = now();
    if (relations.length > 0) await competitors.untrackMany(relations, at);
    if (keywords.length === 0) return;
    const removals = keywords.map((row) => {
      return {
        row,
        event: keywordUntracked(
          { account_id: row.account_id, keyword_id: row.keyword_id, app_id: row.listing_id },
          { at, requestId },
        ),
      };
    });
    await trackedKeywords.untrackMany(removals, at);
    wake();
  }

  /**
   * Finishes the sweep of one app; nothing happens when none is due. Sweeps of an account take turns. Whether it is
   * due is asked again after the reading: another copy may have finished it, and what is added to an app that is
   * tracked again must stay.
   */
  function sweep(
    { account_id: accountId, listing_id: listingId }: TrackedAppKey,
    requestId: string,
  ): Promise<void> {
    const key = { account_id: accountId, listing_id: listingId };
    return turns.withLock(accountId, async () => {
      while (await trackedApps.findSweepDue(key)) {
        stopping.signal.throwIfAborted();
        const swept = await readActive(key);
        const due = await trackedApps.findSweepDue(key);
        if (!due) return;
        if (swept.keywords.length + swept.relations.length === 0) await trackedApps.endSweep(due);
        else await remove(swept, requestId);
      }
    });
  }

  function leave(app: TrackedAppKey, error: unknown): void {
    if (stopping.signal.aborted) return;
    logger.warn(
      { err: error, account_id: app.account_id, listing_id: app.listing_id },
      'competitors or keywords of a removed application wait for a restart',
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
