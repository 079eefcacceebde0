import { createManualClock } from '../../../testing/manual-clock.ts';
import { until } from '../../../testing/until.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createDailyRunMetrics } from './daily-run-metrics.ts';
import { createProgressCounter } from './progress-counter.ts';

const names = { items: 'pages', label: 'site', readToday: 'Pages that were read on this UTC day' };

afterEach(() => {
  jest.restoreAllMocks();
});

const countZero = async () => 0;

/** The pause after a count that took this long; both in seconds. */
async function pauseAfter(seconds: number): Promise<number> {
  const elapsed = [0, seconds * 1000];
  jest.spyOn(performance, 'now').mockImplementation(() => elapsed.shift() ?? 0);
  const stopping = new AbortController();
  let pausedMs = 0;
  const counter = createProgressCounter({
    groups: ['east', 'west'],
    planned: { countPlannedBefore: countZero, countPlannedFrom: countZero, countDue: countZero },
    metrics: createDailyRunMetrics(createMetrics(), names),
    now: () => new Date('2026-03-10T09:00:00Z'),
    sleep: async (ms) => {
      pausedMs = ms;
      stopping.abort();
    },
  });
  await counter.run(stopping.signal);
  return pausedMs / 1000;
}

test('the counter pauses for 30 seconds or 20 times the duration of a count, whichever is longer', async () => {
  expect(await pauseAfter(0.5)).toBe(30);
  expect(await pauseAfter(5)).toBe(100);
});

test('a pause has an upper bound, for a machine that slept during a count', async () => {
  expect(await pauseAfter(7200)).toBe(600);
});

/** A running counter with one job of each kind per site. Its clock stands still, and counting takes no time. */
function startCounter() {
  jest.spyOn(performance, 'now').mockReturnValue(0);
  const clock = createManualClock('2026-03-10T23:59:00Z');
  const database = { answer: async () => 1, concurrent: 0, max: 0 };
  const countOnDatabase = async () => {
    database.concurrent += 1;
    database.max = Math.max(database.max, database.concurrent);
    await new Promise(setImmediate);
    database.concurrent -= 1;
    return database.answer();
  };
  const metrics = createMetrics();
  const counter = createProgressCounter({
    groups: ['east', 'west'],
    planned: {
      countPlannedBefore: countOnDatabase,
      countPlannedFrom: countOnDatabase,
      countDue: countOnDatabase,
    },
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
  /** Waits until the counter pauses. */
  const waitForCount = async () => {
    await new Promise(setImmediate);
    await until(() => clock.sleeping() === 1);
  };
  return { clock, database, metrics, counter, waitForCount, stop };
}

test('progress is unknown before the first count, which covers all groups with one query at a time', async () => {
  const { clock, database, metrics, counter, waitForCount, stop } = startCounter();
  expect(counter.latest()).toBeNull();
  await waitForCount();
  expect(counter.latest()).toEqual({ at: clock.at, counts: { all: 4, readToday: 2, due: 2, late: 2 } });
  expect(database.max).toBe(1);
  const exposition = await metrics.registry.metrics();
  for (const name of ['due', 'read_today', 'late'])
    expect(exposition).toMatch(new RegExp(`^shelfwise_pages_${name}\\{site="east"\\} 1$`, 'm'));
  expect(exposition).toMatch(/^# HELP shelfwise_pages_due Pages that are due at this moment$/m);
  await stop();
});

test('a reader gets the last count immediately; an old count is repeated for the next reader', async () => {
  const { clock, database, counter, waitForCount, stop } = startCounter();
  await waitForCount();
  database.answer = async () => 5;
  clock.advance(4999);
  expect(counter.latest()?.counts.due).toBe(2);
  await waitForCount();
  expect(counter.latest()?.counts.due).toBe(2);
  clock.advance(1);
  expect(counter.latest()?.counts.due).toBe(2);
  await waitForCount();
  expect(counter.latest()).toMatchObject({ at: clock.at, counts: { due: 10 } });
  await stop();
});

test('the count of yesterday does not count for today', async () => {
  const { clock, counter, waitForCount, stop } = startCounter();
  await waitForCount();
  clock.moveTo('2026-03-11T00:00:00Z');
  expect(counter.latest()).toBeNull();
  await waitForCount();
  expect(counter.latest()?.at).toEqual(clock.at);
  await stop();
});

test('the last count stays while the database is unavailable', async () => {
  const { clock, database, counter, waitForCount, stop } = startCounter();
  await waitForCount();
  const before = counter.latest();
  database.answer = () => Promise.reject(new Error('away'));
  clock.advance(30_000);
  await waitForCount();
  expect(counter.latest()).toEqual(before);
  await stop();
});
