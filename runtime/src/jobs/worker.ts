import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Sleep } from '../concurrency/sleep.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../log/logger.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { isDatabaseFailure } from '../mongo/database-errors.ts';
import type { DiskSpace } from '../process/disk-space.ts';
import { inSpan } from '../tracing/in-span.ts';
import { currentTracing } from '../tracing/tracing.ts';
import { createAdaptiveConcurrency, createFixedConcurrency } from './adaptive-concurrency.ts';
import type { JobSource } from './job-source.ts';
import { createWakeSignal } from './wake-signal.ts';
import { createWorkerBreaker } from './worker-breaker.ts';
import { createWorkerLog } from './worker-log.ts';

/**
 * An idle worker knows when the next job is due, and this process wakes it when it makes one due earlier. It looks again after
 * this time at the latest, because the clock may be set forward, and other copies may have changed jobs.
 */
const lookEveryMs = 60_000;
/**
 * Where the next due time says too little: people wait for a job that another copy has made due, and whose workers are off,
 * busy or paused; a claim has lost all its jobs to other copies.
 */
const lookSoonMs = 5000;
/** With the delays of `retryAt`, a job has failed so often after about half a day. */
const lastingFailures = 30;
/** How long a stop waits for running jobs before it aborts and requeues them. */
const drainMs = 3000;

/** Jobs since the worker was created. Skipped and requeued jobs are in neither count. */
export type WorkerTotals = { done: number; failed: number };

export type Worker = {
  name: string;
  start(): void;
  /** Looks for due jobs now. To be called when this process has made a job due earlier than it was. */
  wake(): void;
  /** Claims no more jobs. Running jobs have 3 seconds to finish, then they are aborted and requeued. */
  stop(): Promise<void>;
  /** The number of claimed and unfinished jobs, without those of a claim in progress. */
  inFlight(): number;
  isClaiming(): boolean;
  totals(): WorkerTotals;
  /**
   * Why the worker is paused, or tries a single job after a pause, and the time of that attempt. Null otherwise, and
   * when no job is left to try.
   */
  pauseReason(): { until: Date; reason: string } | null;
  /** The last job of this process that failed; null when none has. */
  lastFailure(): JobFailure | null;
};

/** `reason` is a sentence for operators. */
export type JobFailure = { at: Date; reason: string };

/**
 * Claims due jobs of one kind and runs several at the same time, as many as the upstream accepts. After repeated
 * failures it pauses, then tries a single job. It claims at most twice as many jobs as it runs, however many are due.
 */
export function createWorker<Job>(deps: {
  source: JobSource<Job>;
  logger: Logger;
  /** False when no other process can use the database. */
  hasCopies: boolean;
  metrics: Pick<Metrics, 'workerJobs' | 'workerPaused' | 'lastingFailures' | 'jobQueues'>;
  /** While it is low, the worker is paused. */
  diskSpace?: DiskSpace | undefined;
  now: () => Date;
  sleep: Sleep;
}): Worker {
  const { source, logger, metrics, diskSpace, now, sleep } = deps;
  const idleMs = deps.hasCopies && source.isAwaited ? lookSoonMs : lookEveryMs;
  const breaker = createWorkerBreaker(now);
  const createConcurrency = source.isAdaptive === false ? createFixedConcurrency : createAdaptiveConcurrency;
  const concurrency = createConcurrency(source.maxConcurrency);
  const { work: workName = 'daily run' } = source;
  const log = createWorkerLog({ logger, jobs: source.name, work: workName, now });
  const wakeSignal = createWakeSignal();
  metrics.jobQueues.add(source.name, () => source.readBacklog());
  // Prometheus does not see the increase to the first value of a series.
  metrics.lastingFailures.inc({ jobs: source.name }, 0);
  const stopping = new AbortController();
  const aborting = new AbortController();
  const running = new Set<Promise<void>>();
  const totals = { done: 0, failed: 0 };
  /** Claimed jobs that do not run yet. */
  let claimed: Job[] = [];
  /** In milliseconds since 1970. When no job is due, the worker does not look again before this time. */
  let nextLookAt = 0;
  /** Whether the last claim got all jobs that were due. Then the next look reads when one is due before it claims. */
  let isDrained = false;
  let isWoken = false;
  /** Whether a job has ended since the last look began. It may have made others due, also itself. */
  let hasJobEnded = false;
  let isClaiming = false;
  let lastFailure: JobFailure | null = null;
  let loop = Promise.resolve();

  // Each running job adds a listener; Node warns above ten.
  setMaxListeners(0, aborting.signal);

  const inFlight = () => running.size + claimed.length;

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (breaker.isPaused()) await requeueClaimed();
      else await claimJobs();
      startJobs();
      await wait();
    }
    await requeueClaimed();
  }

  async function claimJobs(): Promise<void> {
    // Twice the running jobs, so that a finished one is replaced at once. A trial after a pause needs a single job.
    const room = concurrency.current() === 1 ? 1 : 2 * concurrency.current();
    if ((msToNextLook() > 0 && !hasJobEnded) || inFlight() > room / 2) return;
    isClaiming = true;
    isWoken = false;
    hasJobEnded = false;
    try {
      if (diskSpace?.isLow()) throw diskSpace.refusal();
      if (!isDrained || (await isAnyDue())) {
        const count = room - inFlight();
        const jobs = await source.claim(count, breaker.pauseReason() !== null);
        claimed.push(...jobs);
        if (jobs.length > 0) nextLookAt = 0;
        isDrained = jobs.length < count;
      }
      // The claim may not have seen what has become due meanwhile.
      if (isWoken) lookNow();
      if (breaker.claimSucceeded()) reportResumed();
      showPause();
    } catch (error) {
      reportPause(breaker.claimFailed(toReason(error)), error);
    } finally {
      isClaiming = false;
    }
  }

  /** Sets when to look again if there is nothing to claim. */
  async function isAnyDue(): Promise<boolean> {
    const dueAt = (await source.nextDueAt())?.getTime() ?? Number.POSITIVE_INFINITY;
    const at = now().getTime();
    const isDue = dueAt <= at;
    nextLookAt = isDue ? at + lookSoonMs : Math.min(dueAt, at + idleMs);
    return isDue;
  }

  function lookNow(): void {
    nextLookAt = 0;
    isDrained = false;
  }

  function startJobs(): void {
    while (!stopping.signal.aborted && !breaker.isPaused() && running.size < concurrency.current()) {
      const job = claimed.shift();
      if (job === undefined) return;
      const finished = runJob(job).finally(() => {
        running.delete(finished);
        hasJobEnded = true;
        wakeSignal.raise();
      });
      running.add(finished);
    }
  }

  /**
   * Waits until a job finishes or the worker is woken. While no job runs, it waits at most until the pause ends or the
   * next look is due.
   */
  async function wait(): Promise<void> {
    if (stopping.signal.aborted) return;
    if (running.size > 0) return wakeSignal.raised();
    const trialAt = breaker.isPaused() ? breaker.pauseReason()?.until.getTime() : undefined;
    const ms = trialAt ? trialAt - now().getTime() : msToNextLook();
    if (ms > 0) await wakeSignal.raisedWithin(ms, sleep);
  }

  async function runJob(job: Job): Promise<void> {
    const startedAt = now().getTime();
    const call = { requestId: `${workName.replaceAll(' ', '-')}-${randomUUID()}`, signal: aborting.signal };
    metrics.lastingFailures.inc({ jobs: source.name }, failingForLong(job).length);
    try {
      const outcome = await runInTrace(job, call);
      metrics.workerJobs.inc({ jobs: source.name, outcome });
      if (outcome === 'done') onDone(now().getTime() - startedAt);
    } catch (error) {
      if (aborting.signal.aborted) await requeue([job]);
      else await onFailure(job, error);
    }
  }

  /** The ids of the parts of a job that have failed for about half a day. */
  const failingForLong = (job: Job) =>
    source.partsOf(job).flatMap(({ _id, failures }) => (failures >= lastingFailures ? [_id] : []));

  /** A job is a trace of its own. */
  function runInTrace(job: Job, call: Parameters<typeof source.run>[1]): ReturnType<typeof source.run> {
    const tracing = currentTracing();
    if (tracing === null) return source.run(job, call);
    const attributes = { 'shelfwise.request_id': call.requestId };
    return inSpan(tracing, { name: `job ${source.name}`, kind: 'internal', parent: null, attributes }, () =>
      source.run(job, call),
    );
  }

  function onDone(ms: number): void {
    totals.done += 1;
    if (!breaker.isPaused()) concurrency.onDuration(ms);
    log.count('done');
    if (breaker.succeeded()) reportResumed();
  }

  function reportResumed(): void {
    showPause();
    logger.info({ jobs: source.name }, `${workName} resumed`);
  }

  /** Without a job to try, it is unknown whether a pause is still justified. */
  const pauseReason = () => (breaker.isPaused() || inFlight() > 0 ? breaker.pauseReason() : null);

  const showPause = () => metrics.workerPaused.set({ jobs: source.name }, pauseReason() ? 1 : 0);

  /** A clock that was set back must not stop the looks. */
  function msToNextLook(): number {
    const ms = nextLookAt - now().getTime();
    return ms > lookEveryMs ? 0 : ms;
  }

  async function onFailure(job: Job, error: unknown): Promise<void> {
    totals.failed += 1;
    // The upstream has answered: other jobs need not wait.
    const isUpstreamWell = error instanceof AppError && error.isUnproven;
    if (!isUpstreamWell) concurrency.onFailure();
    log.count('failed');
    metrics.workerJobs.inc({ jobs: source.name, outcome: 'failed' });
    if (isOurFault(error)) logger.error({ err: error, jobs: source.name }, `a job of the ${workName} failed`);
    // Until a success follows a pause, any job may fail, so this one is not to blame.
    const isToBlame = breaker.pauseReason() === null;
    const ids = failingForLong(job);
    if (isToBlame && ids.length > 0)
      logger.warn(
        { err: error, jobs: source.name, ids },
        `a job of the ${workName} has been failing for long`,
      );
    const reason = toReason(error);
    lastFailure = { at: now(), reason };
    if (!isUpstreamWell) reportPause(breaker.failed(reason), error);
    // If recording the failure fails too, the job becomes due when its claim expires.
    await source.fail(job, isToBlame).catch(() => {});
  }

  /**
   * Follows every failure. Does nothing unless the worker is paused. Only the first pause of a series is logged, and none
   * while the disk is low: the watch of the disk has logged that, once for all workers.
   */
  function reportPause(isFirst: boolean, error: unknown): void {
    if (!breaker.isPaused()) return;
    concurrency.reset();
    showPause();
    if (isFirst && !diskSpace?.isLow())
      logger.warn({ jobs: source.name, ...breaker.pauseReason(), err: error }, `${workName} paused`);
  }

  async function requeueClaimed(): Promise<void> {
    const jobs = claimed;
    claimed = [];
    await requeue(jobs);
  }

  async function requeue(jobs: readonly Job[]): Promise<void> {
    if (jobs.length === 0) return;
    metrics.workerJobs.inc({ jobs: source.name, outcome: 'requeued' }, jobs.length);
    await source.requeue(jobs).catch(() => {});
  }

  return {
    name: source.name,
    start() {
      showPause();
      loop = work();
    },
    wake() {
      isWoken = true;
      lookNow();
      wakeSignal.raise();
    },
    async stop() {
      stopping.abort();
      wakeSignal.raise();
      await loop;
      const finished = new AbortController();
      const all = Promise.all(running).finally(() => finished.abort());
      await Promise.race([all, sleep(drainMs, finished.signal)]);
      aborting.abort(new AppError('SERVICE_UNAVAILABLE', 'The service is stopping. Try again.'));
      await all;
    },
    inFlight,
    isClaiming: () => isClaiming,
    totals: () => ({ ...totals }),
    pauseReason,
    lastFailure: () => lastFailure,
  };
}

/** A sentence for operators, without the driver's message, which may contain internal addresses. */
function toReason(error: unknown): string {
  if (error instanceof AppError) return error.message;
  if (isDatabaseFailure(error)) return 'The database does not answer.';
  return 'An internal error; the log has the details.';
}

/** Whether the error is a defect that needs a fix, rather than a failure of an upstream, a service or the database. */
function isOurFault(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'INTERNAL_ERROR';
  return !isDatabaseFailure(error);
}
