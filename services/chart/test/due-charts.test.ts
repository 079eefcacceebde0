import { planAfter } from '../src/domain/chart-plan.ts';
import { createChartStore } from '../src/stores/chart-store.ts';
import { type ClaimedChart, createDueChartStore } from '../src/stores/due-chart-store.ts';
import { createHarness } from './start-chart.ts';

const { startChart } = createHarness();

const key = { store: 'ITUNES', country: 'US', category: 'OVERALL', collection: 'free' } as const;
const id = 'ITUNES:US:OVERALL:free';
const requested = new Date('2026-03-10T09:00:00Z');
const due = new Date('2026-03-11T23:30:00Z');
const later = new Date('2026-03-11T23:33:00Z');
const planned = (day: string) => planAfter(id, { day, hasRatings: true }, due);

/** The stores over a database with one chart that is due in it. */
async function startStores() {
  const { connection, database, rows } = await startChart();
  const charts = createChartStore(connection.useDb(database));
  await charts.recordRead(key, requested, planned('2026-03-10'));
  const dueCharts = createDueChartStore(charts);
  const claim = () => dueCharts.claim('ITUNES', { count: 5, now: due, until: later });
  return { charts, dueCharts, claim, one: async () => (await rows('charts'))[0] };
}

async function claimOne({ claim }: { claim(): Promise<{ claimed: ClaimedChart[] }> }): Promise<ClaimedChart> {
  const [chart] = (await claim()).claimed;
  if (!chart) throw new Error('nothing is due');
  return chart;
}

test('of many that claim a chart at once one gets it', async () => {
  const { claim } = await startStores();
  const claims = await Promise.all(Array.from({ length: 8 }, claim));
  expect(claims.flatMap(({ claimed }) => claimed)).toHaveLength(1);
});

test('a chart that is requested while its daily reads are about to end goes on being read', async () => {
  const stores = await startStores();
  const chart = await claimOne(stores);
  await stores.charts.recordRequest(key, due, planned('2026-03-11'));
  expect(await stores.dueCharts.retire(chart, due)).toBe(false);
  expect(await stores.one()).toMatchObject({ due_at: later, last_requested_at: due });
});

test('a chart whose daily reads have ended is planned again by the next request', async () => {
  const stores = await startStores();
  const chart = await claimOne(stores);
  expect(await stores.dueCharts.retire(chart, due)).toBe(true);
  expect(await stores.one()).toEqual({ _id: id, ...key, last_requested_at: requested });
  await stores.charts.recordRequest(key, due, planned('2026-03-11'));
  expect(await stores.one()).toEqual({ _id: id, ...key, last_requested_at: due, ...planned('2026-03-11') });
});

test('what a call has planned meanwhile is not undone by the copy that had claimed the chart', async () => {
  const stores = await startStores();
  const chart = await claimOne(stores);
  await stores.charts.recordRead(key, due, planned('2026-03-11'));
  expect(await stores.dueCharts.isLeased(chart)).toBe(false);
  await stores.dueCharts.release(chart, { due_at: due, failures: 3 });
  expect(await stores.dueCharts.retire(chart, later)).toBe(false);
  expect(await stores.one()).toMatchObject({ ...planned('2026-03-11'), failures: 0 });
});

test('a request for a chart that is planned does not change its plan', async () => {
  const stores = await startStores();
  await stores.charts.recordRequest(key, due, planned('2026-03-11'));
  expect(await stores.one()).toMatchObject(planned('2026-03-10'));
});

test('many first calls for one chart plan it once', async () => {
  const { charts } = await startStores();
  const other = { ...key, country: 'DE' };
  await Promise.all(
    Array.from({ length: 8 }, () => charts.recordRequest(other, requested, planned('2026-03-10'))),
  );
  expect(await charts.model.find({ country: 'DE' }).lean()).toEqual([
    { _id: 'ITUNES:DE:OVERALL:free', ...other, last_requested_at: requested, ...planned('2026-03-10') },
  ]);
});
