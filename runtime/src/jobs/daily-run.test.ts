import { PartState } from '../process/status.ts';
import { createDailyRun, type DailyProgress } from './daily-run.ts';
import type { JobFailure, Worker } from './worker.ts';

const at = new Date('2026-01-02T03:04:05Z');
const counts: DailyProgress = { all: 1200, readToday: 1150, due: 40, late: 0 };

function fakeWorker(
  pause: { until: Date; reason: string } | null = null,
  { failure = null, inFlight = 0 }: { failure?: JobFailure | null; inFlight?: number } = {},
) {
  const calls: string[] = [];
  const worker: Worker = {
    name: 'news pages',
    start: () => void calls.push('start'),
    wake: () => {},
    stop: async () => void calls.push('stop'),
    inFlight: () => inFlight,
    isClaiming: () => false,
    totals: () => ({ done: 0, failed: 0 }),
    pauseReason: () => pause,
    lastFailure: () => failure,
  };
  return { worker, calls };
}

function dailyRun(changes: Partial<Parameters<typeof createDailyRun>[0]> = {}) {
  return createDailyRun({
    isOn: true,
    workers: [fakeWorker().worker],
    background: [],
    item: 'page',
    readProgress: () => ({ at, counts }),
    ...changes,
  });
}

test('the status shows the progress of the day', async () => {
  expect(await dailyRun().status()).toEqual({
    name: 'daily run',
    state: PartState.OK,
    detail: 'counted at 03:04 UTC: 1,150 of 1,200 pages read today, 40 due, 0 late',
    is_embedded: false,
  });
  const single = { all: 1, readToday: 1, due: 0, late: 0 };
  expect(await dailyRun({ readProgress: () => ({ at, counts: single }) }).status()).toMatchObject({
    detail: 'counted at 03:04 UTC: 1 of 1 page read today, 0 due, 0 late',
  });
  expect(await dailyRun({ readProgress: () => null }).status()).toMatchObject({
    state: PartState.OK,
    detail: 'not counted today yet',
  });
});

test('the status is degraded when an item is late or a worker is paused', async () => {
  const late = dailyRun({ readProgress: () => ({ at, counts: { ...counts, late: 3 } }) });
  expect(await late.status()).toMatchObject({ state: PartState.DEGRADED });

  const { worker } = fakeWorker({
    until: new Date('2026-01-02T23:30:00Z'),
    reason: 'The site does not answer.',
  });
  expect(await dailyRun({ workers: [worker] }).status()).toMatchObject({
    state: PartState.DEGRADED,
    detail: expect.stringMatching(/; news pages are not read until 23:30 UTC: The site does not answer\.$/),
  });
});

test('late items that are not due wait for another attempt; the status has the last failure', async () => {
  const failedAt = (minute: number, reason: string) => ({
    at: new Date(Date.UTC(2026, 0, 2, 3, minute)),
    reason,
  });
  const until = new Date('2026-01-02T23:30:00Z');
  const detailOf = async (late: number, due: number, ...workers: ReturnType<typeof fakeWorker>[]) => {
    const readProgress = () => ({ at, counts: { ...counts, late, due } });
    const run = dailyRun({ readProgress, workers: workers.map(({ worker }) => worker) });
    return (await run.status()).detail.split(' late')[1];
  };
  const first = fakeWorker(null, { failure: failedAt(1, 'The site refused the call.') });
  const second = fakeWorker(null, { failure: failedAt(2, 'The shop does not answer.') });
  const paused = fakeWorker({ until, reason: 'Paused.' }, { failure: failedAt(3, 'Paused.') });
  const busy = fakeWorker(null, { inFlight: 2 });
  expect(await detailOf(2, 0, first, second)).toBe('; 2 wait for another attempt: The shop does not answer.');
  expect(await detailOf(1, 0, first)).toBe('; 1 waits for another attempt: The site refused the call.');
  expect(await detailOf(2, 0, fakeWorker())).toBe('; 2 wait for another attempt');
  expect(await detailOf(2, 0, first, paused)).toMatch(/attempt; news pages are not read/);
  expect(await detailOf(2, 2, first)).toBe('');
  expect(await detailOf(2, 0, first, busy)).toBe('');
});

test('a pause whose reason names a time is shown with that time only', async () => {
  const { worker } = fakeWorker({
    until: new Date('2026-01-02T23:30:00Z'),
    reason: 'The site is not called until 23:30:14 UTC: it refused the last call.',
  });
  expect(await dailyRun({ workers: [worker] }).status()).toMatchObject({
    detail: expect.stringMatching(
      /; news pages are not read: The site is not called until 23:30:14 UTC: it refused the last call\.$/,
    ),
  });
});

test('a stop aborts background loops and waits for them; workers stop once', async () => {
  const { worker, calls } = fakeWorker();
  let isSweeperDone = false;
  const sweeper = {
    run: async (signal: AbortSignal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await new Promise(setImmediate);
      isSweeperDone = true;
    },
  };
  const run = dailyRun({ workers: [worker], background: [sweeper] });
  run.start();
  await Promise.all([run.stop(), run.stop()]);
  expect(calls).toEqual(['start', 'stop']);
  expect(isSweeperDone).toBe(true);
});

test('a copy that takes no part starts nothing and counts nothing', async () => {
  const { worker, calls } = fakeWorker();
  const unexpected = () => {
    throw new Error('called');
  };
  const run = dailyRun({
    isOn: false,
    workers: [worker],
    background: [{ run: unexpected }],
    readProgress: unexpected,
  });
  run.start();
  expect(calls).toEqual([]);
  expect(await run.status()).toMatchObject({
    state: PartState.OK,
    detail: 'not in this copy (DAILY_RUN=false)',
  });
});
