import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@shelfwise/runtime/errors';
import type { Logger } from '@shelfwise/runtime/logger';
import { updatesPerCommand } from '@shelfwise/runtime/mongo/batch-sizes';
import { createAccountLocks } from './account-locks.ts';
import { keywordUntracked } from './domain/tracking-events.ts';
import type { Competitor, CompetitorStore } from './stores/competitor-store.ts';
import type { TrackedAppKey, TrackedAppStore } from './stores/tracked-app-store.ts';
import type { TrackedKeyword, TrackedKeywordStore } from './stores/tracked-keyword-store.ts';

/** The rows that one step of a removal untracks. */
type Batch = { keywords: readonly TrackedKeyword[]; relations: readonly Competitor[] };

export type AppRemovals = ReturnType<typeof createAppRemovals>;

/**
 * Completes the removal of applications: untracks their competitors and their keywords, each keyword with its event.
 * A removal is pending from the write that removes the application until its last keyword is untracked. Any copy of
 * the service may complete it, also two copies at the same time.
 */
export function createAppRemovals(deps: {
  trackedApps: TrackedAppStore;
  trackedKeywords: TrackedKeywordStore;
  competitors: CompetitorStore;
  logger: Logger;
  now: () => Date;
  /** Called after an event is written. */
  wakeRelay: () => void;
}) {
  const { trackedApps, trackedKeywords, competitors, logger, now, wakeRelay } = deps;
  const locks = createAccountLocks();
  const inBackground = new Set<Promise<void>>();
  const stopping = new AbortController();

  /** At most `updatesPerCommand` rows of each kind, so that one command untracks them. */
  async function readBatch(app: TrackedAppKey): Promise<Batch> {
    const [keywords, relations] = await Promise.all([
      trackedKeywords.listActive(app, updatesPerCommand),
      competitors.listActive(app, updatesPerCommand),
    ]);
    return { keywords, relations };
  }

  async function untrack({ keywords, relations }: Batch, requestId: string): Promise<void> {
    const at = now();
    if (relations.length > 0) await competitors.untrackMany(relations, at);
    if (keywords.length === 0) return;
    const untracked = keywords.map((row) => ({
      row,
      event: keywordUntracked(
        { account_id: row.account_id, keyword_id: row.keyword_id, app_id: row.listing_id },
        { at, requestId },
      ),
    }));
    await trackedKeywords.untrackMany(untracked, at);
    wakeRelay();
  }

  /**
   * Completes the removal of one app; does nothing when none is pending. An account's removals run one by one.
   * After reading a batch it checks again that the removal is pending: another copy may have completed it meanwhile,
   * and what was added since the app is tracked again must stay.
   */
  function complete(app: TrackedAppKey, requestId: string): Promise<void> {
    const key = { account_id: app.account_id, listing_id: app.listing_id };
    return locks.withLock(app.account_id, async () => {
      while (await trackedApps.findPendingRemoval(key)) {
        stopping.signal.throwIfAborted();
        const batch = await readBatch(key);
        const removed = await trackedApps.findPendingRemoval(key);
        if (!removed) return;
        if (batch.keywords.length + batch.relations.length === 0) await trackedApps.completeRemoval(removed);
        else await untrack(batch, requestId);
      }
    });
  }

  function onFailure(app: TrackedAppKey, error: unknown): void {
    if (stopping.signal.aborted) return;
    logger.warn(
      { err: error, account_id: app.account_id, listing_id: app.listing_id },
      'the removal of an application is incomplete; the next start removes the remaining competitors and keywords',
    );
  }

  return {
    complete,

    /** Starts to complete a removal and waits at most `ms`; the rest continues in the background. Never rejects. */
    async completeWithin(ms: number, app: TrackedAppKey, requestId: string): Promise<void> {
      const work = complete(app, requestId).catch((error: unknown) => onFailure(app, error));
      inBackground.add(work);
      const isOver = new AbortController();
      const completed = work.finally(() => {
        inBackground.delete(work);
        isOver.abort();
      });
      const timeout = sleep(ms, undefined, { signal: isOver.signal }).catch(() => {});
      await Promise.race([completed, timeout]);
    },

    /** Completes the removals that a crash or a stop interrupted. */
    async completeAll(): Promise<void> {
      for (const app of await trackedApps.listPendingRemovals()) await complete(app, 'restart');
    },

    /** Ends each removal after its current batch; the next start completes it. */
    async stop(): Promise<void> {
      stopping.abort(new AppError('SERVICE_UNAVAILABLE', 'The service is stopping. Try again.'));
      await Promise.all(inBackground);
    },
  };
}
