import type { Sleep } from '../concurrency/sleep.ts';
import type { Logger } from '../log/logger.ts';
import { documentsPerBatch } from '../mongo/delete-batch.ts';
import { retryUntilDone } from './retry-until-done.ts';

/** Documents that expire. */
export type Expiring = {
  /** plural, for the log */
  name: string;
  /** How long they are kept, in days; null: forever. */
  keptDays: number | null;
  /**
   * Deletes a batch of those that are older than `before` and returns how many it found (`deleteBatch`). May end early
   * when the signal fires.
   */
  deleteBefore(before: Date, signal: AbortSignal): Promise<number>;
};

const sweepEveryMs = 6 * 3_600_000;
const dayMs = 24 * 3_600_000;

/**
 * Deletes expired documents at the start and every 6 hours, in batches. Several copies may do so at the same time.
 * Retries while the database is unavailable.
 */
export function createSweep(deps: {
  expiring: readonly Expiring[];
  logger: Pick<Logger, 'info' | 'warn'>;
  now: () => Date;
  sleep: Sleep;
}) {
  const { expiring, logger, now, sleep } = deps;

  const stopping = new AbortController();
  let running = Promise.resolve();

  async function sweepAll(signal: AbortSignal): Promise<void> {
    for (const { name, keptDays, deleteBefore } of expiring) {
      if (keptDays === null) continue;
      const before = new Date(now().getTime() - keptDays * dayMs);
      let total = 0;
      for (let found = documentsPerBatch; found === documentsPerBatch && !signal.aborted; total += found)
        found = await deleteBefore(before, signal);
      if (total > 0) logger.info({ documents: name, count: total, before }, 'expired documents deleted');
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await retryUntilDone(() => sweepAll(signal), {
        signal,
        sleep,
        onFailure: (err) => logger.warn({ err }, 'expired documents could not be deleted; retrying'),
      });
      await sleep(sweepEveryMs, signal);
    }
  }

  return {
    start(): void {
      if (expiring.some(({ keptDays }) => keptDays !== null)) running = run(stopping.signal);
    },
    /** Resolves after the current batch. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
