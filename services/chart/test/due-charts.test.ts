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

/** The stores over a database with one due chart. */
async function startStores() {
  const { connection, database, rows } = await startChart();
  const charts = createChartStore(connection.useDb(database));
  await charts.recordRead(key, requested, planned('2026-03-10'));
  const { queue } = createDueChartStore(charts);
  const claim = () => queue.claim(() => queue.listDue({ store: 'ITUNES' }, due, 5), later);
  return { charts, queue, claim, one: async () => (await rows('charts'))[0] };
}

const drop = { unset: ['planned_at', 'failures', 'rating_tries'] } as const;

async function claimOne({ claim }: { claim(): Promise<ClaimedChart[]> }): Promise<ClaimedChart> {
  const [chart] = await claim();
  if (!chart) throw new Error('nothing is due');
  return chart;
}

test('a chart that is requested just before the daily run drops it stays in the daily run', async () => {
  const stores = await startStores();
  const chart = await claimOne(stores);
  await stores.charts.recordRequest(key, due, planned('2026-03-11'));
  const where = { last_requested_at: { $lt: due } };
  expect(await stores.queue.drop(chart, { ...drop, where })).toBe(false);
  expect(await stores.one()).toMatchObject({ due_at: later, last_requested_at: due });
});

test('a chart that left the daily run is planned again by the next request', async () => {
  const stores = await startStores();
  const chart = await claimOne(stores);
  expect(await stores.queue.drop(chart, drop)).toBe(true);
  expect(await stores.one()).toEqual({ _id: id, ...key, last_requested_at: requested });
  await stores.charts.recordRequest(key, due, planned('2026-03-11'));
  expect(await stores.one()).toEqual({ _id: id, ...key, last_requested_at: due, ...planned('2026-03-11') });
});

test('a copy whose claim is lost does not undo the plan of a later call', async () => {
  const stores = await startStores();
  const chart = await claimOne(stores);
  await stores.charts.recordRead(key, due, planned('2026-03-11'));
  expect(await stores.queue.findClaimed(chart, { _id: 1 })).toBeNull();
  expect(await stores.queue.fail(chart, true, { at: due, random: () => 0 })).toBe(false);
  expect(await stores.queue.drop(chart, drop)).toBe(false);
  expect(await stores.one()).toMatchObject({ ...planned('2026-03-11'), failures: 0 });
});

test('a request does not change the plan of a planned chart', async () => {
  const stores = await startStores();
  await stores.charts.recordRequest(key, due, planned('2026-03-11'));
  expect(await stores.one()).toMatchObject(planned('2026-03-10'));
});

test('concurrent first calls for one chart plan it once', async () => {
  const { charts } = await startStores();
  const other = { ...key, country: 'DE' };
  await Promise.all(
    Array.from({ length: 8 }, () => charts.recordRequest(other, requested, planned('2026-03-10'))),
  );
  expect(await charts.model.find({ country: 'DE' }).lean()).toEqual([
    { _id: 'ITUNES:DE:OVERALL:free', ...other, last_requested_at: requested, ...planned('2026-03-10') },
  ]);
});
