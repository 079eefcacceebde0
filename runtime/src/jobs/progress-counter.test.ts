import { createManualClock, until } from '../../../testing/manual-clock.ts';
import { createMetrics } from '../metrics.ts';
import { createDailyRunMetrics } from './daily-run-metrics.ts';
import { createProgressCounter } from './progress-counter.ts';

const names = { what: 'charts', label: 'store', readToday: 'Charts that have a snapshot of this UTC day' };

afterEach(() => {
  jest.restoreAllMocks();
});

const none = async () => 0;

/** How long it rests after a counting that took so long, in seconds. */
async function restAfter(seconds: number): Promise<number> {
  const elapsed = [0, seconds * 1000];
  jest.spyOn(performance, 'now').mockImplementation(() => elapsed.shift() ?? 0);
  const stopping = new AbortController();
  let rested = 0;
  const counter = createProgressCounter({
    groups: ['ITUNES', 'GPLAY'],
    planned: { countPlannedBefore: none, countPlannedFrom: none, countDue: none },
    metrics: createDailyRunMetrics(createMetrics(), names),
    now: () => new Date('2026-03-10T09:00:00Z'),
    sleep: async (ms) => {
      rested = ms;
      stopping.abort();
    },
  });
  await counter.run(stopping.signal);
  return rested / 1000;
}

test('it counts every half a minute, and takes a twentieth of the time at most', async () => {
  expect(await restAfter(0.5)).toBe(30);
  expect(await restAfter(5)).toBe(100);
});

test('a machine that slept while it counted is not waited for as long', async () => {
  expect(await restAfter(7200)).toBe(600);
});

/** Counts that begin with one job of each kind per store, by a clock that stands still; counting takes no time. */
function startCounting() {
  jest.spyOn(performance, 'now').mockReturnValue(0);
  const clock = createManualClock('2026-03-10T23:59:00Z');
  const database = { answer: async () => 1, atOnce: 0, most: 0 };
  const ask = async () => {
    database.atOnce += 1;
    database.most = Math.max(database.most, database.atOnce);
    await new Promise(setImmediate);
    database.atOnce -= 1;
    return database.answer();
  };
  const metrics = createMetrics();
  const counter = createProgressCounter({
    groups: ['ITUNES', 'GPLAY'],
    planned: { countPlannedBefore: ask, countPlannedFrom: ask, countDue: ask },
    metrics: createDailyRunMetrics(metrics, names),
    now: clock.now,
    sleep: clock.sleep,
  });
  const stopping = new AbortController();
  const running = counter.run(stopping.signal);
  const stop = async () => {
    stopping.abort();
    await running;
  };
  /** Waits until it rests. */
  const counted = async () => {
    await new Promise(setImmediate);
    await until(() => clock.sleeping() === 1);
  };
  return { clock, database, metrics, counter, counted, stop };
}

test('nothing is known before the first count; it is of all groups, one query at a time', async () => {
  const { clock, database, metrics, counter, counted, stop } = startCounting();
  expect(counter.latest()).toBeNull();
  await counted();
  expect(counter.latest()).toEqual({ at: clock.at, counts: { all: 4, readToday: 2, due: 2, late: 2 } });
  expect(database.most).toBe(1);
  const shown = await metrics.registry.metrics();
  for (const name of ['due', 'read_today', 'late'])
    expect(shown).toMatch(new RegExp(`^shelfwise_charts_${name}\\{store="ITUNES"\\} 1$`, 'm'));
  expect(shown).toMatch(/^# HELP shelfwise_charts_due Charts that are due at this moment$/m);
  await stop();
});

test('whoever looks is shown the last numbers at once; when they are old they are counted for the next', async () => {
  const { clock, database, counter, counted, stop } = startCounting();
  await counted();
  database.answer = async () => 5;
  clock.advance(4999);
  expect(counter.latest()?.counts.due).toBe(2);
  await counted();
  expect(counter.latest()?.counts.due).toBe(2);
  clock.advance(1);
  expect(counter.latest()?.counts.due).toBe(2);
  await counted();
  expect(counter.latest()).toMatchObject({ at: clock.at, counts: { due: 10 } });
  await stop();
});

test('numbers of yesterday are none of today', async () => {
  const { clock, counter, counted, stop } = startCounting();
  await counted();
  clock.moveTo('2026-03-11T00:00:00Z');
  expect(counter.latest()).toBeNull();
  await counted();
  expect(counter.latest()?.at).toEqual(clock.at);
  await stop();
});

test('a database that is away leaves the last numbers as they are', async () => {
  const { clock, database, counter, counted, stop } = startCounting();
  await counted();
  const before = counter.latest();
  database.answer = () => Promise.reject(new Error('away'));
  clock.advance(30_000);
  await counted();
  expect(counter.latest()).toEqual(before);
  await stop();
});
