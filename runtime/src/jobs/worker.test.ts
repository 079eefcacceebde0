import { createManualClock } from '../../../testing/manual-clock.ts';
import { until } from '../../../testing/until.ts';
import { AppError } from '../errors.ts';
import { createLogger } from '../log/logger.ts';
import { createMetrics } from '../metrics/metrics.ts';
import type { DiskSpace } from '../process/disk-space.ts';
import type { JobSource } from './job-source.ts';
import { createWorker } from './worker.ts';

/** Jobs are numbers. Due jobs are claimed in their order. */
function createFakeSource(now: () => Date) {
  const due: number[] = [];
  const fake = {
    due,
    /** Jobs that become due. */
    later: [] as { job: number; at: Date }[],
    /** How often the worker has asked when the next job is due. */
    looks: 0,
    beforeLook: async () => {},
    claims: [] as number[],
    trials: [] as boolean[],
    blamed: [] as number[],
    runs: [] as number[],
    failed: [] as number[],
    requeued: [] as number[],
    /** Of each job, from before its claim. */
    failuresOf: (_job: number) => 0,
    concurrent: { now: 0, max: 0 },
    maxClaimed: 0,
    answer: async (_job: number, _signal: AbortSignal): Promise<'done' | 'skipped'> => 'done',
    claim: async (count: number) => {
      const isDue = ({ at }: { at: Date }) => at <= now();
      due.push(...fake.later.filter(isDue).map(({ job }) => job));
      fake.later = fake.later.filter((one) => !isDue(one));
      return due.splice(0, count);
    },
  };
  let claimed = 0;
  const source: JobSource<number> = {
    name: 'numbers',
    maxConcurrency: 8,
    isAwaited: true,
    async nextDueAt() {
      fake.looks += 1;
      const times = [...due.map(() => 0), ...fake.later.map(({ at }) => at.getTime())];
      await fake.beforeLook();
      return times.length === 0 ? null : new Date(Math.min(...times));
    },
    partsOf: (job) => [{ _id: job, failures: fake.failuresOf(job) }],
    readBacklog: async () => ({ due: due.length, oldestDueAt: null }),
    async claim(count, isTrial) {
      fake.claims.push(count);
      fake.trials.push(isTrial);
      const jobs = await fake.claim(count);
      claimed += jobs.length;
      fake.maxClaimed = Math.max(fake.maxClaimed, claimed);
      return jobs;
    },
    async run(job, { signal }) {
      fake.runs.push(job);
      fake.concurrent.now += 1;
      fake.concurrent.max = Math.max(fake.concurrent.max, fake.concurrent.now);
      try {
        const outcome = await fake.answer(job, signal);
        claimed -= 1;
        return outcome;
      } finally {
        fake.concurrent.now -= 1;
      }
    },
    async fail(job, isToBlame) {
      claimed -= 1;
      if (isToBlame) fake.blamed.push(job);
      fake.failed.push(job);
    },
    async requeue(jobs) {
      claimed -= jobs.length;
      fake.requeued.push(...jobs);
    },
  };
  return { fake, source };
}

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const { stop } of running.splice(0)) await stop();
});

function startWorker(
  count: number,
  {
    diskSpace,
    hasCopies = true,
    isAwaited = true,
    isAdaptive = true,
  }: { diskSpace?: DiskSpace; hasCopies?: boolean; isAwaited?: boolean; isAdaptive?: boolean } = {},
) {
  const clock = createManualClock('2026-03-10T09:00:00Z');
  const { fake, source } = createFakeSource(clock.now);
  fake.due.push(...Array.from({ length: count }, (_, index) => index + 1));
  const metrics = createMetrics();
  const lines: { level: number; msg: string }[] = [];
  const destination = { write: (line: string) => lines.push(JSON.parse(line)) };
  const logger = createLogger({ name: 'test', level: 'info', destination });
  const worker = createWorker({
    source: { ...source, isAwaited, isAdaptive },
    hasCopies,
    logger,
    metrics,
    diskSpace,
    now: clock.now,
    sleep: clock.sleep,
  });
  worker.start();
  running.push(worker);
  const isIdle = () => until(() => clock.sleeping() === 1 && worker.inFlight() === 0);
  return { fake, clock, worker, lines, metrics, isIdle };
}

const unanswered = () => new AppError('SERVICE_UNAVAILABLE', 'The site does not answer.');
const hang = (_job: number, signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });

test('every due job runs once, the most important first', async () => {
  const { fake, worker, isIdle } = startWorker(1000);
  await isIdle();
  expect(fake.runs).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1));
  expect(worker.totals()).toEqual({ done: 1000, failed: 0 });
});

test('a worker runs as many jobs at the same time as its source allows and claims at most twice as many', async () => {
  const { fake, isIdle } = startWorker(3000);
  fake.answer = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return 'done';
  };
  await isIdle();
  expect(fake.concurrent.max).toBe(8);
  expect(fake.maxClaimed).toBeLessThanOrEqual(16);
});

test('an idle worker sleeps until the next job is due', async () => {
  const { fake, clock, isIdle } = startWorker(0, { hasCopies: false });
  fake.later.push({ job: 1, at: new Date('2026-03-10T09:00:59Z') });
  await isIdle();
  const before = { claims: fake.claims.length, looks: fake.looks };
  clock.advance(58_999);
  await isIdle();
  expect({ claims: fake.claims.length, looks: fake.looks }).toEqual(before);
  clock.advance(1);
  await until(() => fake.runs.length === 1);
  await isIdle();
  // Nothing is planned: it looks once a minute, and claims nothing.
  const after = { claims: fake.claims.length, looks: fake.looks };
  for (let minute = 1; minute <= 3; minute++) {
    clock.advance(60_000);
    await until(() => fake.looks === after.looks + minute);
    await isIdle();
  }
  expect(fake.claims).toHaveLength(after.claims);
});

test.each([
  ['with copies, jobs that people wait for', 5000, { hasCopies: true, isAwaited: true }],
  ['with copies, other jobs', 60_000, { hasCopies: true, isAwaited: false }],
  ['the only copy, any jobs', 60_000, { hasCopies: false, isAwaited: true }],
])('a job that became due without notice is found in time: %s', async (_name, ms, options) => {
  const { fake, clock, isIdle } = startWorker(0, options);
  fake.later.push({ job: 1, at: new Date('2026-03-11T09:00:00Z') });
  await isIdle();
  fake.later = [];
  fake.due.push(2);
  clock.advance(ms - 1);
  await isIdle();
  expect(fake.runs).toEqual([]);
  clock.advance(1);
  await until(() => fake.runs.length === 1);
});

test('a worker that is woken while it looks looks again', async () => {
  const { fake, worker, clock, isIdle } = startWorker(0, { hasCopies: false });
  await isIdle();
  fake.beforeLook = async () => {
    fake.beforeLook = async () => {};
    // The query has been answered before.
    fake.due.push(1);
    worker.wake();
  };
  clock.advance(60_000);
  await until(() => fake.runs.length === 1);
});

test('a job that ends while the worker looks may have made others due', async () => {
  const { fake, worker, isIdle } = startWorker(0, { hasCopies: false, isAdaptive: false });
  await isIdle();
  let end = () => {};
  fake.answer = async (job) => {
    if (job === 2) {
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      fake.due.push(3);
    }
    return 'done';
  };
  fake.beforeLook = async () => {
    fake.beforeLook = async () => {};
    // The query has been answered before.
    end();
    await until(() => worker.inFlight() === 0);
  };
  fake.due.push(1, 2);
  worker.wake();
  await until(() => fake.runs.length === 3);
});

test('what a job makes due at its end runs at once, also soon after another look and while a job hangs', async () => {
  const { fake, worker, isIdle } = startWorker(0, { hasCopies: false, isAdaptive: false });
  await isIdle();
  const ends = new Map<number, () => void>();
  fake.answer = async (job) => {
    if (job === 1 || job === 4) return 'done';
    await new Promise<void>((resolve) => ends.set(job, resolve));
    if (job === 2) fake.due.push(4);
    return 'done';
  };
  const before = fake.looks;
  fake.due.push(1, 2, 3);
  worker.wake();
  await until(() => fake.looks > before && !worker.isClaiming());
  ends.get(2)?.();
  await until(() => fake.runs.includes(4));
  ends.get(3)?.();
});

test('a job that a running job makes due runs after it at once', async () => {
  const { fake, worker, isIdle } = startWorker(10, { hasCopies: false });
  await isIdle();
  fake.answer = async (job) => {
    if (job < 13) fake.due.push(job + 1);
    return 'done';
  };
  fake.due.push(11);
  worker.wake();
  await until(() => fake.runs.length === 13);
});

test('a worker whose jobs other copies get first does not claim without a pause', async () => {
  const { fake, clock, isIdle } = startWorker(0);
  await isIdle();
  fake.due.push(1);
  fake.claim = async () => [];
  clock.advance(5000);
  await isIdle();
  const claims = fake.claims.length;
  clock.advance(4999);
  await isIdle();
  expect(fake.claims).toHaveLength(claims);
  clock.advance(1);
  await until(() => fake.claims.length === claims + 1);
});

test('a clock that is set forward makes jobs due within a minute', async () => {
  const { fake, clock, isIdle } = startWorker(0, { hasCopies: false });
  fake.later.push({ job: 1, at: new Date('2026-03-10T12:00:00Z') });
  await isIdle();
  clock.setBy(4 * 3_600_000);
  clock.advance(60_000);
  await until(() => fake.runs.length === 1);
});

test('a clock that is set back does not delay the next look', async () => {
  const { fake, clock, isIdle } = startWorker(0, { hasCopies: false });
  await isIdle();
  clock.setBy(-4 * 3_600_000);
  fake.due.push(1);
  clock.advance(60_000);
  await until(() => fake.runs.length === 1);
});

test('a worker claims nothing while the disk is low, and goes on when it has space', async () => {
  let isLow = true;
  const refusal = () => new AppError('SERVICE_UNAVAILABLE', 'The disk is almost full.');
  const { fake, clock, worker, lines } = startWorker(3, { diskSpace: { isLow: () => isLow, refusal } });
  await until(() => clock.sleeping() === 1);
  expect(fake.claims).toEqual([]);
  // The watch of the disk logs it, once for all workers.
  expect(lines).toEqual([]);
  expect(worker.pauseReason()?.reason).toBe('The disk is almost full.');
  isLow = false;
  clock.advance(15_000);
  await until(() => fake.runs.length === 3);
});

test('a woken worker looks for jobs immediately', async () => {
  const { fake, worker, isIdle } = startWorker(0);
  await isIdle();
  fake.due.push(1);
  worker.wake();
  await until(() => fake.runs.length === 1);
});

test('after three failures a worker pauses, and each pause ends with one job', async () => {
  const { fake, clock, worker, isIdle, lines } = startWorker(100);
  fake.answer = async () => Promise.reject(unanswered());
  await isIdle();
  expect(fake.runs).toHaveLength(3);
  for (const [seconds, runs] of [
    [15, 4],
    [30, 5],
    [60, 6],
    [60, 7],
  ] as const) {
    clock.advance(seconds * 1000 - 1);
    await isIdle();
    expect(fake.runs).toHaveLength(runs - 1);
    clock.advance(1);
    await until(() => fake.runs.length === runs);
    await isIdle();
  }
  expect(worker.pauseReason()?.reason).toBe('The site does not answer.');
  expect(lines.filter(({ msg }) => /paused/.test(msg))).toHaveLength(1);
});

test('a job that fails during an outage is not to blame, and each attempt is a trial', async () => {
  const { fake, clock, worker, isIdle } = startWorker(100);
  expect(worker.lastFailure()).toBeNull();
  fake.answer = async () => Promise.reject(unanswered());
  await isIdle();
  expect(worker.lastFailure()).toEqual({ at: clock.now(), reason: 'The site does not answer.' });
  expect(fake.trials).not.toContain(true);
  clock.advance(15_000);
  await until(() => fake.runs.length === 4);
  await isIdle();
  expect(fake.trials.at(-1)).toBe(true);
  expect(fake.blamed).toEqual(fake.runs.slice(0, 3));
  fake.answer = async () => 'done';
  clock.advance(30_000);
  await isIdle();
  expect(fake.trials.at(-1)).toBe(false);
});

test('after an outage the worker resumes with one job at a time', async () => {
  const { fake, clock, worker, isIdle, lines } = startWorker(100);
  fake.answer = async () => Promise.reject(unanswered());
  await isIdle();
  fake.answer = async () => 'done';
  clock.advance(15_000);
  await until(() => worker.totals().done === 97);
  expect(worker.pauseReason()).toBeNull();
  expect(fake.failed).toEqual([1, 2, 3]);
  expect(lines.filter(({ msg }) => /daily run resumed/.test(msg))).toHaveLength(1);
});

test('a pause requeues claimed jobs that did not run', async () => {
  const { fake, clock, isIdle } = startWorker(100);
  fake.answer = async (job) => (job > 50 ? Promise.reject(unanswered()) : 'done');
  await isIdle();
  expect(fake.requeued.length).toBeGreaterThan(0);
  const started = new Set(fake.runs);
  for (const job of fake.requeued) expect(started.has(job)).toBe(false);
  expect(fake.runs.length - 50).toBe(fake.failed.length);
  fake.answer = async () => 'done';
  fake.due.unshift(...fake.requeued);
  clock.advance(15_000);
  await until(() => fake.runs.length === 100);
  expect(new Set(fake.runs).size).toBe(100);
});

test('one failing job does not stop the others', async () => {
  const { fake, worker, isIdle } = startWorker(20);
  fake.answer = async (job) => (job === 7 ? Promise.reject(unanswered()) : 'done');
  await isIdle();
  expect(fake.failed).toEqual([7]);
  expect(worker.totals()).toEqual({ done: 19, failed: 1 });
  expect(worker.pauseReason()).toBeNull();
});

test('attempts at jobs that have failed 30 times in a row are counted, and their failures are in the log', async () => {
  const { fake, lines, metrics, isIdle } = startWorker(4);
  const counted = async () => (await metrics.lastingFailures.get()).values;
  expect(await counted()).toEqual([{ labels: { jobs: 'numbers' }, value: 0 }]);
  fake.failuresOf = (job) => 28 + job;
  fake.answer = async (job) => {
    if (job === 1 || job === 3) throw unanswered();
    return 'done';
  };
  await isIdle();
  // Job 1 had failed 29 times before; jobs 2 and 4 are done at last.
  expect(await counted()).toEqual([{ labels: { jobs: 'numbers' }, value: 3 }]);
  const warnings = lines.filter(({ msg }) => msg === 'a job of the daily run has been failing for long');
  expect(warnings).toEqual([expect.objectContaining({ level: 40, jobs: 'numbers', ids: [3] })]);
});

test('a pause ends when the database is back, even if no job is due', async () => {
  const { fake, clock, worker, isIdle, metrics, lines } = startWorker(0);
  await isIdle();
  const { claim, beforeLook } = fake;
  fake.claim = async () => {
    throw Object.assign(new Error('no server at 10.0.0.7'), { name: 'MongoServerSelectionError' });
  };
  fake.beforeLook = () => fake.claim(0).then(() => {});
  clock.advance(5000);
  await until(() => worker.pauseReason() !== null);
  expect(worker.pauseReason()?.reason).toBe('The database does not answer.');
  await isIdle();
  expect(await metrics.registry.metrics()).toMatch(/paused\{jobs="numbers"\} 1/);
  Object.assign(fake, { claim, beforeLook });
  clock.advance(15_000);
  await until(() => worker.pauseReason() === null);
  await isIdle();
  expect(await metrics.registry.metrics()).toMatch(/paused\{jobs="numbers"\} 0/);
  expect(lines.filter(({ msg }) => /daily run resumed/.test(msg))).toHaveLength(1);
});

test('a pause ends when no job is left to try', async () => {
  const { fake, clock, worker, isIdle, metrics } = startWorker(3);
  fake.answer = async () => Promise.reject(unanswered());
  await isIdle();
  expect(worker.pauseReason()).not.toBeNull();
  clock.advance(15_000);
  await until(() => fake.claims.length > 4 || worker.pauseReason() === null);
  await isIdle();
  expect(worker.pauseReason()).toBeNull();
  expect(await metrics.registry.metrics()).toMatch(/paused\{jobs="numbers"\} 0/);
});

test('a clock that is set back stops neither the polling nor the end of a pause', async () => {
  const { fake, clock, worker, isIdle } = startWorker(0);
  await isIdle();
  clock.at = new Date('2026-03-10T03:00:00Z');
  fake.due.push(1, 2, 3, 4);
  fake.answer = async () => Promise.reject(unanswered());
  clock.at = new Date('2026-03-10T03:00:05Z');
  worker.wake();
  await until(() => fake.runs.length === 3);
  await isIdle();
  expect(worker.pauseReason()?.reason).toBe('The site does not answer.');
  fake.answer = async () => 'done';
  clock.at = new Date('2026-03-09T21:00:00Z');
  worker.wake();
  await until(() => fake.runs.length === 4);
  await isIdle();
  expect(worker.pauseReason()).toBeNull();
});

test('successes during a pause do not raise the concurrency: the trial runs one job', async () => {
  const { fake, clock, worker, isIdle } = startWorker(200);
  let open: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    open = resolve;
  });
  let hanging = 0;
  fake.answer = async (job) => {
    if (job <= 50) return 'done';
    hanging += 1;
    if (hanging <= 3) return Promise.reject(unanswered());
    await released;
    return 'done';
  };
  await until(() => worker.pauseReason() !== null);
  open();
  await isIdle();
  let end: () => void = () => {};
  const trial = new Promise<void>((resolve) => {
    end = resolve;
  });
  fake.answer = () => trial.then(() => 'done');
  const before = fake.runs.length;
  clock.advance(15_000);
  await until(() => fake.runs.length > before);
  await new Promise((resolve) => setImmediate(resolve));
  expect(fake.concurrent.now).toBe(1);
  end();
  await isIdle();
});

test('jobs that do not share an upstream all run at the same time, also when some hang', async () => {
  const { fake, clock, worker } = startWorker(30, { isAdaptive: false });
  fake.answer = (job, signal) => (job <= 7 ? hang(job, signal) : Promise.resolve('done'));
  await until(() => fake.runs.length === 30);
  expect(fake.concurrent.max).toBe(8);
  const stopped = worker.stop();
  await until(() => clock.sleeping() === 1);
  clock.advance(3000);
  await stopped;
});

test('a skipped job counts as neither done nor failed', async () => {
  const { fake, worker, isIdle, metrics } = startWorker(3);
  fake.answer = async () => 'skipped';
  await isIdle();
  expect(worker.totals()).toEqual({ done: 0, failed: 0 });
  expect(await metrics.registry.metrics()).toMatch(
    /shelfwise_daily_run_jobs_total\{jobs="numbers",outcome="skipped"\} 3/,
  );
});

test('a stop waits for running jobs and claims no more', async () => {
  const { fake, worker } = startWorker(10);
  let open: () => void = () => {};
  fake.answer = () =>
    new Promise((resolve) => {
      open = () => resolve('done');
    });
  await until(() => fake.runs.length === 1);
  const stopped = worker.stop();
  open();
  await stopped;
  expect(worker.totals().done).toBe(1);
  expect(fake.runs).toEqual([1]);
  expect(worker.inFlight()).toBe(0);
});

test('a stop aborts and requeues slow jobs, and requeues jobs that did not run', async () => {
  const { fake, clock, worker, isIdle } = startWorker(40);
  await isIdle();
  fake.answer = hang;
  fake.due.push(...Array.from({ length: 40 }, (_, index) => 100 + index));
  clock.advance(5000);
  await until(() => fake.concurrent.now === 8);
  const stopped = worker.stop();
  await until(() => clock.sleeping() === 1);
  clock.advance(3000);
  await stopped;
  const claimed = Array.from({ length: 16 }, (_, index) => 100 + index);
  expect([...fake.requeued].sort()).toEqual(claimed);
  expect([...claimed, ...fake.due]).toHaveLength(40);
  expect(fake.failed).toEqual([]);
});

test('the log gets one line per thousand jobs', async () => {
  const { lines, isIdle } = startWorker(2500);
  await isIdle();
  expect(lines.filter(({ msg }) => msg === 'daily run')).toHaveLength(2);
});
