import { createMetrics } from '@shelfwise/runtime/metrics';
import { createDailyRunMetrics } from './daily-run-metrics.ts';
import { type CountsMarkets, createMarketCounter } from './market-counter.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

/** How long it rests after a counting that took so long, in seconds. */
async function restAfter(seconds: number): Promise<number> {
  const elapsed = [0, seconds * 1000];
  jest.spyOn(performance, 'now').mockImplementation(() => elapsed.shift() ?? 0);
  const none = async () => 0;
  const dueMarkets: CountsMarkets = {
    ...{ countPlannedBefore: none, countPlannedFrom: none, countDue: none },
  };
  const stopping = new AbortController();
  let rested = 0;
  const counter = createMarketCounter({
    dueMarkets,
    metrics: createDailyRunMetrics(createMetrics()),
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
