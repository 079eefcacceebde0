import { randomUUID } from 'node:crypto';
import type { JobBatch } from '@shelfwise/proto/jobs/v1/jobs';
import { runBatchMs } from '@shelfwise/runtime/bulk/bulk-jobs';
import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import { AppError } from '@shelfwise/runtime/errors';
import { createWakeSignal, type WakeSignal } from '@shelfwise/runtime/jobs/wake-signal';
import type { Logger } from '@shelfwise/runtime/log/logger';
import type { Clients } from '../clients.ts';
import type { UsageCounters } from '../limits/usage-counters.ts';
import { countSpent, isTracking, refundSpent, type SpendBatch } from './spend-batch.ts';

/** Batches of each service that run at the same time, for different jobs. */
const batchesAtOnce = 2;
/** A gateway hears of the jobs that it has created, and when the next known one is due. Others it finds when it looks. */
const lookEveryMs = 60_000;
/** Until the next look when the service did not answer. */
const retryMs = 5000;
/** A job that is due already is being taken by another gateway. */
const leastPauseMs = 1000;
const takeMs = 5000;
/** How long a stop waits for batches before it aborts them. They run again after a minute. */
const drainMs = 5000;

type JobService = Pick<Clients['tracking'], 'takeJobBatch' | 'runJobBatch'>;

/**
 * Has the jobs of accounts run: takes a batch from a service, counts what it spends, and lets the service run it. The services
 * choose whose batch is next, and keep everything. Any number of gateways do this at the same time; the batch of one that dies
 * runs again elsewhere.
 */
export function createRunJobs(deps: {
  services: readonly JobService[];
  spendBatch: SpendBatch;
  counters: Pick<UsageCounters, 'refund'>;
  logger: Pick<Logger, 'warn'>;
  now: () => Date;
  sleep: Sleep;
}) {
  const { services, spendBatch, counters, logger, now, sleep } = deps;
  const stopping = new AbortController();
  const aborting = new AbortController();
  const wakeSignals: WakeSignal[] = [];
  let running: Promise<void>[] = [];

  const callFor = (ms: number, callerId?: string) => ({
    requestId: `job-${randomUUID()}`,
    callerId,
    deadline: new Date(Date.now() + ms),
    signal: aborting.signal,
  });

  /** Another gateway may be able to count. Without this the batch is due again when its claim ends. */
  async function giveBack(service: JobService, { job_id, claim, account_id }: JobBatch): Promise<void> {
    const nothing = { job_id, claim, items: [], refusal: null };
    await service.runJobBatch(nothing, callFor(takeMs, account_id)).catch(() => {});
  }

  /** Runs the next batch. Returns how long to wait for another, in ms. */
  async function runNext(service: JobService, onTaken: () => void): Promise<number> {
    const { batch, next_at: nextAt } = await service.takeJobBatch({}, callFor(takeMs));
    if (!batch) {
      const ms = nextAt ? nextAt.getTime() - now().getTime() : lookEveryMs;
      return Math.min(Math.max(ms, leastPauseMs), lookEveryMs);
    }
    onTaken();
    const at = now();
    const { account_id: accountId } = batch;
    const request = await spendBatch(batch, callFor(takeMs, accountId)).catch(async (error: unknown) => {
      await giveBack(service, batch);
      throw error;
    });
    const refunded = await service.runJobBatch(request, callFor(runBatchMs, accountId)).then(
      ({ refunded_requests: requests, refunded_uses: uses }) => ({ requests, uses }),
      (error: unknown) => {
        // The job was canceled meanwhile, or another gateway has the batch: nothing of it has run.
        if (error instanceof AppError && error.code === 'NOT_FOUND') return countSpent(batch, request.items);
        throw error;
      },
    );
    // Nothing is counted here for what a job tracks.
    if (!isTracking(batch)) await refundSpent(counters, accountId, refunded, at);
    return 0;
  }

  /** The first worker of a service looks for batches; the one that takes a batch wakes the next, which may find another. */
  async function work(service: JobService, [woken, next]: [WakeSignal, WakeSignal | null], isFirst: boolean) {
    let hasFailed = false;
    let pauseMs = 0;
    while (!stopping.signal.aborted) {
      try {
        pauseMs = await runNext(service, () => next?.raise());
        hasFailed = false;
        if (pauseMs === 0) continue;
      } catch (error) {
        pauseMs = retryMs;
        // Once for each time that a service is away.
        if (!hasFailed && !stopping.signal.aborted)
          logger.warn({ err: error }, 'a batch of a job could not be run; it runs again');
        hasFailed = true;
      }
      if (isFirst || hasFailed) await woken.raisedWithin(pauseMs, sleep);
      else await woken.raised();
    }
  }

  function wake(): void {
    for (const signal of wakeSignals) signal.raise();
  }

  return {
    start(): void {
      running = services.flatMap((service) => {
        const signals = Array.from({ length: batchesAtOnce }, createWakeSignal);
        wakeSignals.push(...signals);
        return signals.map((woken, index) => work(service, [woken, signals[index + 1] ?? null], index === 0));
      });
    },
    /** Looks for jobs now. */
    wake,
    /** Takes no more batches, and waits for those that run. */
    async stop(): Promise<void> {
      stopping.abort();
      wake();
      const ended = new AbortController();
      const all = Promise.all(running).finally(() => ended.abort());
      await Promise.race([all, sleep(drainMs, ended.signal)]);
      aborting.abort();
      await all;
    },
  };
}
