import { PartState } from '../process/status.ts';
import { createDailyRun, type DailyProgress } from './daily-run.ts';
import type { Worker } from './worker.ts';

const at = new Date('2026-01-02T03:04:05Z');
const counts: DailyProgress = { all: 1200, readToday: 1150, due: 40, late: 0 };

function fakeWorker(pause: { until: Date; reason: string } | null = null) {
  const calls: string[] = [];
  const worker: Worker = {
    name: 'news pages',
    start: () => void calls.push('start'),
    wake: () => {},
    stop: async () => void calls.push('stop'),
    inFlight: () => 0,
    isClaiming: () => false,
    totals: () => ({ done: 0, failed: 0 }),
    pauseReason: () => pause,
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
