import { createLocksByKey } from '@shelfwise/runtime/concurrency/locks-by-key';
import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import { AppError } from '@shelfwise/runtime/errors';
import type { Logger } from '@shelfwise/runtime/log/logger';
import { competitorUntracked, keywordUntracked } from '../domain/tracking-events.ts';
import type { CompetitorStore, ListedCompetitor } from '../stores/competitor-store.ts';
import type { TrackedAppKey, TrackedAppStore } from '../stores/tracked-app-store.ts';
import type { TrackedKeyword, TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';

/** Of each kind. A stop waits for one batch. */
const rowsPerBatch = 50;
/** How often each copy looks for removals that another copy has left incomplete. */
const checkEveryMs = 60_000;

/** Rows that one step of a removal untracks. */
type Batch = { keywords: readonly TrackedKeyword[]; competitorRows: readonly ListedCompetitor[] };

export type AppRemovals = ReturnType<typeof createAppRemovals>;

/**
 * Completes the removal of applications: untracks their competitors and their keywords, each with its event. A
 * removal is pending from the write that removes the application until no row is left. Any copy may complete it, also
 * two at the same time.
 */
export function createAppRemovals(deps: {
  trackedApps: TrackedAppStore;
  trackedKeywords: TrackedKeywordStore;
  competitors: CompetitorStore;
  logger: Logger;
  now: () => Date;
  sleep: Sleep;
  wakeRelay: () => void;
}) {
  const { trackedApps, trackedKeywords, competitors, logger, now, sleep, wakeRelay } = deps;
  // Not the locks of the handlers: `trackApplication` completes a removal while it holds one of those.
  const removalLocks = createLocksByKey();
  const inBackground = new Set<Promise<void>>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isCompletingPending = false;

  async function readBatch(app: TrackedAppKey): Promise<Batch> {
    const [keywords, competitorRows] = await Promise.all([
      trackedKeywords.listActive(app, rowsPerBatch),
      competitors.listActive(app, rowsPerBatch),
    ]);
    return { keywords, competitorRows };
  }

  async function untrack(accountId: string, batch: Batch, requestId: string): Promise<void> {
    const { keywords, competitorRows } = batch;
    const removedAt = now();
    if (competitorRows.length > 0)
      await competitors.untrackMany(accountId, competitorRows, removedAt, (row, at) =>
        competitorUntracked(row, { at, requestId }),
      );
    const untracked = keywords.map((row) => ({
      row,
      eventAt: (at: Date) =>
        keywordUntracked(
          { account_id: row.account_id, keyword_id: row.keyword_id, app_id: row.listing_id },
          { at, requestId },
        ),
    }));
    if (untracked.length > 0) await trackedKeywords.untrackMany(untracked, removedAt);
    wakeRelay();
  }

  /**
   * Completes the removal of one app; does nothing when none is pending. Each batch is untracked only if a removal is
   * pending after the batch was read. Otherwise another copy may have completed it, and the account may track the app
   * again. An empty batch completes only the removal that was pending before it was read.
   * @throws SERVICE_UNAVAILABLE when the service stops before the removal is complete
   */
  function complete(app: TrackedAppKey, requestId: string): Promise<void> {
    const key = { account_id: app.account_id, listing_id: app.listing_id };
    return removalLocks.withLock(app.account_id, async () => {
      for (let pending = await trackedApps.findPendingRemoval(key); pending; ) {
        stopping.signal.throwIfAborted();
        const batch = await readBatch(key);
        const isEmpty = batch.keywords.length + batch.competitorRows.length === 0;
        if (isEmpty && (await trackedApps.completeRemoval(pending))) return;
        pending = await trackedApps.findPendingRemoval(key);
        if (pending && !isEmpty) await untrack(key.account_id, batch, requestId);
      }
    });
  }

  function onFailure(error: unknown, app?: TrackedAppKey): void {
    if (stopping.signal.aborted) return;
    logger.warn(
      { err: error, account_id: app?.account_id, listing_id: app?.listing_id },
      'the removal of an application is incomplete; the rest is removed within a minute or two',
    );
  }

  function runInBackground(work: Promise<void>): Promise<void> {
    const settled = work.finally(() => inBackground.delete(settled));
    inBackground.add(settled);
    return settled;
  }

  /** Does nothing while the last check goes on. Index: is_removal_pending. */
  function completePending(): void {
    if (isCompletingPending) return;
    isCompletingPending = true;
    const work = async () => {
      for (const app of await trackedApps.listPendingRemovals()) await complete(app, 'interrupted-removal');
    };
    void runInBackground(
      work()
        .catch(onFailure)
        .finally(() => {
          isCompletingPending = false;
        }),
    );
  }

  return {
    complete,

    /**
     * Completes a removal, but waits at most `ms` milliseconds; the rest continues in the background. Never rejects.
     */
    async completeWithin(ms: number, app: TrackedAppKey, requestId: string): Promise<void> {
      const work = complete(app, requestId).catch((error: unknown) => onFailure(error, app));
      const waiting = new AbortController();
      const completed = runInBackground(work).finally(() => waiting.abort());
      await Promise.race([completed, sleep(ms, waiting.signal)]);
    },

    /**
     * Completes removals that a failure, a crash or a stop interrupted: now and every minute. No list shows their rows.
     */
    start(): void {
      completePending();
      timer = setInterval(completePending, checkEveryMs);
      timer.unref();
    },

    /** Ends each removal after its current batch; another copy or the next start completes it. */
    async stop(): Promise<void> {
      clearInterval(timer);
      stopping.abort(new AppError('SERVICE_UNAVAILABLE', 'The service is stopping. Try again.'));
      await Promise.all(inBackground);
    },
  };
}
