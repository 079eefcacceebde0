import { PartState } from '../status.ts';
import { createDailyRun, type DailyProgress } from './daily-run.ts';
import type { Lane } from './lane.ts';

const at = new Date('2026-01-02T03:04:05Z');
const counts: DailyProgress = { all: 1200, readToday: 1150, due: 40, late: 0 };

function fakeLane(trouble: { until: Date; reason: string } | null = null) {
  const calls: string[] = [];
  const lane: Lane = {
    name: 'App Store charts',
    start: () => void calls.push('start'),
    wake: () => {},
    stop: async () => void calls.push('stop'),
    held: () => 0,
    isClaiming: () => false,
    totals: () => ({ done: 0, failed: 0 }),
    trouble: () => trouble,
  };
  return { lane, calls };
}

function dailyRun(changes: Partial<Parameters<typeof createDailyRun>[0]> = {}) {
  return createDailyRun({
    isOn: true,
    lanes: [fakeLane().lane],
    background: [],
    what: 'charts',
    readProgress: () => ({ at, counts }),
    ...changes,
  });
}

test('it says how far the day is', async () => {
  expect(await dailyRun().status()).toEqual({
    name: 'daily run',
    state: PartState.OK,
    detail: 'counted at 03:04 UTC: 1,150 of 1,200 charts read today, 40 due, 0 late',
    is_embedded: false,
  });
  expect(await dailyRun({ readProgress: () => null }).status()).toMatchObject({
    state: PartState.OK,
    detail: 'not counted today yet',
  });
});

test('it is degraded when something is late or cannot be read', async () => {
  const late = dailyRun({ readProgress: () => ({ at, counts: { ...counts, late: 3 } }) });
  expect(await late.status()).toMatchObject({ state: PartState.DEGRADED });

  const { lane } = fakeLane({ until: new Date('2026-01-02T23:30:00Z'), reason: 'The store blocks us.' });
  expect(await dailyRun({ lanes: [lane] }).status()).toMatchObject({
    state: PartState.DEGRADED,
    detail: expect.stringMatching(/; App Store charts are not read until 23:30 UTC: The store blocks us\.$/),
  });
});

test('what runs beside the lanes is told to stop and waited for; lanes are stopped once', async () => {
  const { lane, calls } = fakeLane();
  let isOver = false;
  const sweeper = {
    run: async (signal: AbortSignal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await new Promise(setImmediate);
      isOver = true;
    },
  };
  const run = dailyRun({ lanes: [lane], background: [sweeper] });
  run.start();
  await Promise.all([run.stop(), run.stop()]);
  expect(calls).toEqual(['start', 'stop']);
  expect(isOver).toBe(true);
});

test('a copy that takes no part starts nothing and counts nothing', async () => {
  const { lane, calls } = fakeLane();
  const unasked = () => {
    throw new Error('asked');
  };
  const run = dailyRun({ isOn: false, lanes: [lane], background: [{ run: unasked }], readProgress: unasked });
  run.start();
  expect(calls).toEqual([]);
  expect(await run.status()).toMatchObject({
    state: PartState.OK,
    detail: 'not in this copy (DAILY_RUN=false)',
  });
});
