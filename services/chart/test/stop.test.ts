import { createManualClock } from '../../../testing/manual-clock.ts';
import { until } from '../../../testing/until.ts';
import { neverAnswer } from './fake-store-fetch.ts';
import { createHarness, topFree, untilIdle } from './start-chart.ts';

const { startChart } = createHarness();

test('a stop waits for open calls', async () => {
  const { client, server, store } = await startChart();
  const go = store.hold();
  const call = client.getTopChart(topFree);
  await until(() => store.requests.length === 1);
  server.announceDraining();
  const stopped = server.stop();
  go();
  expect((await call).total_count).toBe(100);
  await stopped;
});

test('charts that the daily run is reading at a stop are due again immediately', async () => {
  const clock = createManualClock('2026-03-10T09:00:00Z');
  const chart = await startChart({ clock, dailyRun: true });
  await untilIdle(clock);
  await chart.client.getTopChart(topFree);
  const [planned] = await chart.rows('charts');
  chart.store.answers.chart = neverAnswer;
  clock.moveTo('2026-03-11T23:00:00Z');
  await until(() => chart.store.requests.length === 2);
  await chart.stop();
  expect(await chart.rows('charts')).toEqual([planned]);
});
