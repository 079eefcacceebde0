import { daysBefore, utcDay } from '@shelfwise/runtime/day';
import { retryUntilDone } from '@shelfwise/runtime/jobs/retry-until-done';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';
import type { Logger } from '@shelfwise/runtime/logger';
import type { ChartSnapshotStore } from '../stores/chart-snapshot-store.ts';

/** The longest time window of any API request. */
const retentionDays = 400;
const batchSize = 200;
const sweepEveryMs = 6 * 3_600_000;

/** Deletes snapshots that are older than any request needs, in batches. Several copies may do so at the same time. */
export function createSnapshotSweep(deps: {
  snapshots: Pick<ChartSnapshotStore, 'deleteBefore'>;
  logger: Logger;
  now: () => Date;
  sleep: Sleep;
}) {
  const { snapshots, logger, now, sleep } = deps;

  async function sweepAll(signal: AbortSignal): Promise<void> {
    const firstDay = daysBefore(utcDay(now()), retentionDays);
    let total = 0;
    for (let deleted = batchSize; deleted === batchSize && !signal.aborted; total += deleted)
      deleted = await snapshots.deleteBefore(firstDay, batchSize);
    if (total > 0) logger.info({ snapshots: total, before: firstDay }, 'old chart snapshots deleted');
  }

  return {
    /** Sweeps every 6 hours until the signal fires. Retries while the database is unavailable. */
    async run(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        await retryUntilDone(() => sweepAll(signal), {
          signal,
          sleep,
          onFailure: (err) => logger.warn({ err }, 'old chart snapshots could not be deleted; retrying'),
        });
        await sleep(sweepEveryMs, signal);
      }
    },
  };
}
