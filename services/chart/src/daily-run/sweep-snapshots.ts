import { utcDay } from '@shelfwise/runtime/day';
import { retryUntilDone } from '@shelfwise/runtime/jobs/retry-until-done';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';
import type { Logger } from '@shelfwise/runtime/logger';
import { daysBefore } from '../domain/days-before.ts';
import type { ChartSnapshotStore } from '../stores/chart-snapshot-store.ts';

/** As long as the longest window that anybody may ask for. */
const keptDays = 400;
const snapshotsAtOnce = 200;
const sweepEveryMs = 6 * 3_600_000;

/** Deletes snapshots that are older than anybody needs, some at a time. Copies may do it at once. */
export function createSnapshotSweeper(deps: {
  snapshots: ChartSnapshotStore;
  logger: Logger;
  now: () => Date;
  sleep: Sleep;
}) {
  const { snapshots, logger, now, sleep } = deps;

  async function sweepAll(signal: AbortSignal): Promise<void> {
    const firstKept = daysBefore(utcDay(now()), keptDays);
    let deleted = 0;
    for (let some = snapshotsAtOnce; some === snapshotsAtOnce && !signal.aborted; deleted += some)
      some = await snapshots.deleteBefore(firstKept, snapshotsAtOnce);
    if (deleted > 0) logger.info({ snapshots: deleted, before: firstKept }, 'deleted old charts');
  }

  return {
    /** Sweeps until the signal fires; a database that is away is tried again. */
    async run(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        await retryUntilDone(() => sweepAll(signal), {
          signal,
          sleep,
          onFailure: (err) => logger.warn({ err }, 'old charts could not be deleted; trying again'),
        });
        await sleep(sweepEveryMs, signal);
      }
    },
  };
}
