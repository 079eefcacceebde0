import { createManualClock, until } from '../../../testing/manual-clock.ts';
import { AppError } from '../errors.ts';
import { createLogger } from '../logger.ts';
import { createMetrics } from '../metrics.ts';
import type { JobSource } from './job-source.ts';
import { createWorker } from './worker.ts';

/** Pieces are numbers; what is due is read in their order. */
function createFakeWork() {
  const due: number[] = [];
  const fake = {
    due,
    claims: [] as number[],
    trials: [] as boolean[],
    blamed: [] as number[],
    read: [] as number[],
    failed: [] as number[],
    requeue: [] as number[],
    atOnce: { now: 0, most: 0 },
    mostHeld: 0,
    answer: async (_job: number, _signal: AbortSignal): Promise<'done' | 'skipped'> => 'done',
    claim: async (count: number) => due.splice(0, count),
  };
  let held = 0;
  const work: JobSource<number> = {
    name: 'numbers',
    maxConcurrency: 8,
    async claim(count, isTrial) {
      fake.claims.push(count);
      fake.trials.push(isTrial);
      const jobs = await fake.claim(count);
      held += jobs.length;
      fake.mostHeld = Math.max(fake.mostHeld, held);
      return jobs;
    },
    async run(job, { signal }) {
      fake.read.push(job);
      fake.atOnce.now += 1;
      fake.atOnce.most = Math.max(fake.atOnce.most, fake.atOnce.now);
      try {
        const outcome = await fake.answer(job, signal);
        held -= 1;
        return outcome;
      } finally {
        fake.atOnce.now -= 1;
      }
    },
    async fail(job, isToBlame) {
      held -= 1;
      if (isToBlame) fake.blamed.push(job);
      fake.failed.push(job);
    },
    async requeue(jobs) {
      held -= jobs.length;
      fake.requeue.push(...jobs);
    },
  };
  return { fake, work };
}

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const { stop } of running.splice(0)) await stop();
});

function startLane(count: number) {
  const { fake, work } = createFakeWork();
  fake.due.push(...Array.from({ length: count }, (_, index) => index + 1));
  const clock = createManualClock('2026-03-10T09:00:00Z');
  const metrics = createMetrics();
  const lines: { level: number; msg: string }[] = [];
  const destination = { write: (line: string) => lines.push(JSON.parse(line)) };
  const logger = createLogger({ name: 'test', level: 'info', destination });
  const worker = createWorker({
    source: work,
    logger,
    metrics,
    now: clock.now,
    sleep: clock.sleep,
  });
  worker.start();
  running.push(worker);
  const isIdle = () => until(() => clock.sleeping() === 1 && worker.inFlight() === 0);
  return { fake, clock, worker, lines, metrics, isIdle };
}

const blocked = () => new AppError('STORE_FETCH_FAILED', 'The App Store blocks us.');
const hang = (_job: number, signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });

test('every job that is due is read once, in the order of their importance', async () => {
  const { fake, worker, isIdle } = startLane(1000);
  await isIdle();
  expect(fake.read).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1));
  expect(worker.totals()).toEqual({ done: 1000, failed: 0 });
});

test('however many are due, it reads as many at once as the work allows and holds twice as many', async () => {
  const { fake, isIdle } = startLane(3000);
  fake.answer = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return 'done';
  };
  await isIdle();
  expect(fake.atOnce.most).toBe(8);
  expect(fake.mostHeld).toBeLessThanOrEqual(16);
});

test('with nothing to do it looks every five seconds', async () => {
  const { fake, clock, isIdle } = startLane(0);
  await isIdle();
  expect(fake.claims).toHaveLength(1);
  clock.advance(4999);
  await isIdle();
  expect(fake.claims).toHaveLength(1);
  fake.due.push(1);
  clock.advance(1);
  await until(() => fake.read.length === 1);
});

test('it looks at once when it is told to', async () => {
  const { fake, worker, isIdle } = startLane(0);
  await isIdle();
  fake.due.push(1);
  worker.wake();
  await until(() => fake.read.length === 1);
});

test('a store that cannot be read is asked three times, then once per pause', async () => {
  const { fake, clock, worker, isIdle, lines } = startLane(100);
  fake.answer = async () => Promise.reject(blocked());
  await isIdle();
  expect(fake.read).toHaveLength(3);
  for (const [seconds, asked] of [
    [15, 4],
    [30, 5],
    [60, 6],
    [60, 7],
  ] as const) {
    clock.advance(seconds * 1000 - 1);
    await isIdle();
    expect(fake.read).toHaveLength(asked - 1);
    clock.advance(1);
    await until(() => fake.read.length === asked);
    await isIdle();
  }
  expect(worker.pauseReason()?.reason).toBe('The App Store blocks us.');
  expect(lines.filter(({ msg }) => /paused/.test(msg))).toHaveLength(1);
});

test('what fails while nothing can be read is not to blame, and each try is a trial', async () => {
  const { fake, clock, isIdle } = startLane(100);
  fake.answer = async () => Promise.reject(blocked());
  await isIdle();
  expect(fake.trials).not.toContain(true);
  clock.advance(15_000);
  await until(() => fake.read.length === 4);
  await isIdle();
  expect(fake.trials.at(-1)).toBe(true);
  expect(fake.blamed).toEqual(fake.read.slice(0, 3));
  fake.answer = async () => 'done';
  clock.advance(30_000);
  await isIdle();
  expect(fake.trials.at(-1)).toBe(false);
});

test('a store that is back is read on, from one job at a time', async () => {
  const { fake, clock, worker, isIdle, lines } = startLane(100);
  fake.answer = async () => Promise.reject(blocked());
  await isIdle();
  fake.answer = async () => 'done';
  clock.advance(15_000);
  await until(() => worker.totals().done === 97);
  expect(worker.pauseReason()).toBeNull();
  expect(fake.failed).toEqual([1, 2, 3]);
  expect(lines.filter(({ msg }) => /daily run resumed/.test(msg))).toHaveLength(1);
});

test('when it pauses, jobs that were claimed and not tried are put back', async () => {
  const { fake, clock, isIdle } = startLane(100);
  fake.answer = async (job) => (job > 50 ? Promise.reject(blocked()) : 'done');
  await isIdle();
  expect(fake.requeue.length).toBeGreaterThan(0);
  const tried = new Set(fake.read);
  for (const job of fake.requeue) expect(tried.has(job)).toBe(false);
  expect(fake.read.length - 50).toBe(fake.failed.length);
  fake.answer = async () => 'done';
  fake.due.unshift(...fake.requeue);
  clock.advance(15_000);
  await until(() => fake.read.length === 100);
  expect(new Set(fake.read).size).toBe(100);
});

test('one job that cannot be read keeps none of the others', async () => {
  const { fake, worker, isIdle } = startLane(20);
  fake.answer = async (job) => (job === 7 ? Promise.reject(blocked()) : 'done');
  await isIdle();
  expect(fake.failed).toEqual([7]);
  expect(worker.totals()).toEqual({ done: 19, failed: 1 });
  expect(worker.pauseReason()).toBeNull();
});

test('a database that is away pauses it like a store', async () => {
  const { fake, clock, worker, isIdle } = startLane(5);
  const { claim } = fake;
  fake.claim = async () => {
    throw Object.assign(new Error('no server at 10.0.0.7'), { name: 'MongoServerSelectionError' });
  };
  worker.wake();
  await isIdle();
  clock.advance(5000);
  await until(() => worker.pauseReason() !== null);
  expect(worker.pauseReason()?.reason).toBe('The database does not answer.');
  fake.claim = claim;
  fake.due.push(6);
  clock.advance(15_000);
  await until(() => worker.totals().done === 6);
  expect(worker.pauseReason()).toBeNull();
});

test('a database that is back is no trouble any more, with nothing to read either', async () => {
  const { fake, clock, worker, isIdle, metrics, lines } = startLane(0);
  await isIdle();
  const { claim } = fake;
  fake.claim = async () => {
    throw Object.assign(new Error('no server at 10.0.0.7'), { name: 'MongoServerSelectionError' });
  };
  clock.advance(5000);
  await until(() => worker.pauseReason() !== null);
  await isIdle();
  expect(await metrics.registry.metrics()).toMatch(/paused\{jobs="numbers"\} 1/);
  fake.claim = claim;
  clock.advance(15_000);
  await until(() => worker.pauseReason() === null);
  await isIdle();
  expect(await metrics.registry.metrics()).toMatch(/paused\{jobs="numbers"\} 0/);
  expect(lines.filter(({ msg }) => /daily run resumed/.test(msg))).toHaveLength(1);
});

test('when nothing is left of what failed nothing is said of it any more', async () => {
  const { fake, clock, worker, isIdle, metrics } = startLane(3);
  fake.answer = async () => Promise.reject(blocked());
  await isIdle();
  expect(worker.pauseReason()).not.toBeNull();
  clock.advance(15_000);
  await until(() => fake.claims.length > 4 || worker.pauseReason() === null);
  await isIdle();
  expect(worker.pauseReason()).toBeNull();
  expect(await metrics.registry.metrics()).toMatch(/paused\{jobs="numbers"\} 0/);
});

test('a clock that is set back keeps it neither from looking nor in a pause', async () => {
  const { fake, clock, worker, isIdle } = startLane(0);
  await isIdle();
  clock.at = new Date('2026-03-10T03:00:00Z');
  fake.due.push(1, 2, 3, 4);
  fake.answer = async () => Promise.reject(blocked());
  clock.at = new Date('2026-03-10T03:00:05Z');
  worker.wake();
  await until(() => fake.read.length === 3);
  await isIdle();
  expect(worker.pauseReason()?.reason).toBe('The App Store blocks us.');
  fake.answer = async () => 'done';
  clock.at = new Date('2026-03-09T21:00:00Z');
  worker.wake();
  await until(() => fake.read.length === 4);
  await isIdle();
  expect(worker.pauseReason()).toBeNull();
});

test('readings that end during a pause make it no wider: the trial is of one job', async () => {
  const { fake, clock, worker, isIdle } = startLane(200);
  let open: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let hanging = 0;
  fake.answer = async (job) => {
    if (job <= 50) return 'done';
    hanging += 1;
    if (hanging <= 3) return Promise.reject(blocked());
    await gate;
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
  const before = fake.read.length;
  clock.advance(15_000);
  await until(() => fake.read.length > before);
  await new Promise((resolve) => setImmediate(resolve));
  expect(fake.atOnce.now).toBe(1);
  end();
  await isIdle();
});

test('what nobody wants any more is neither done nor failed', async () => {
  const { fake, worker, isIdle, metrics } = startLane(3);
  fake.answer = async () => 'skipped';
  await isIdle();
  expect(worker.totals()).toEqual({ done: 0, failed: 0 });
  expect(await metrics.registry.metrics()).toMatch(
    /shelfwise_daily_run_jobs_total\{jobs="numbers",outcome="skipped"\} 3/,
  );
});

test('a stop waits for what is being read, and takes nothing new', async () => {
  const { fake, worker } = startLane(10);
  let open: () => void = () => {};
  fake.answer = () =>
    new Promise((resolve) => {
      open = () => resolve('done');
    });
  await until(() => fake.read.length === 1);
  const stopped = worker.stop();
  open();
  await stopped;
  expect(worker.totals().done).toBe(1);
  expect(fake.read).toEqual([1]);
  expect(worker.inFlight()).toBe(0);
});

test('a stop gives up what takes too long and puts it back, with what was not tried', async () => {
  const { fake, clock, worker, isIdle } = startLane(40);
  await isIdle();
  fake.answer = hang;
  fake.due.push(...Array.from({ length: 40 }, (_, index) => 100 + index));
  clock.advance(5000);
  await until(() => fake.atOnce.now === 8);
  const stopped = worker.stop();
  await until(() => clock.sleeping() === 1);
  clock.advance(3000);
  await stopped;
  const held = Array.from({ length: 16 }, (_, index) => 100 + index);
  expect([...fake.requeue].sort()).toEqual(held);
  expect([...held, ...fake.due]).toHaveLength(40);
  expect(fake.failed).toEqual([]);
});

test('it logs a line per thousand jobs, not one per job', async () => {
  const { lines, isIdle } = startLane(2500);
  await isIdle();
  expect(lines.filter(({ msg }) => msg === 'daily run')).toHaveLength(2);
});
