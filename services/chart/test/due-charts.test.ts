import { planAfter } from '../src/domain/chart-plan.ts';
import { createChartStore } from '../src/stores/chart-store.ts';
import { createDueChartStore, type TakenChart } from '../src/stores/due-chart-store.ts';
import { createHarness } from './start-chart.ts';

const { startChart } = createHarness();

const key = { store: 'ITUNES', country: 'US', category: 'OVERALL', collection: 'free' } as const;
const id = 'ITUNES:US:OVERALL:free';
const asked = new Date('2026-03-10T09:00:00Z');
const due = new Date('2026-03-11T23:30:00Z');
const later = new Date('2026-03-11T23:33:00Z');
const planned = (day: string) => planAfter(id, { day, hasRatings: true }, due);

/** The stores over a database with one chart that is due in it. */
async function startStores() {
  const { connection, database, rows } = await startChart();
  const charts = createChartStore(connection.useDb(database));
  await charts.noteRead(key, asked, planned('2026-03-10'));
  const dueCharts = createDueChartStore(charts);
  const take = () => dueCharts.take('ITUNES', { count: 5, now: due, until: later });
  return { charts, dueCharts, take, one: async () => (await rows('charts'))[0] };
}

async function takeOne({ take }: { take(): Promise<{ taken: TakenChart[] }> }): Promise<TakenChart> {
  const [chart] = (await take()).taken;
  if (!chart) throw new Error('nothing is due');
  return chart;
}

test('of many that take a chart at once one gets it', async () => {
  const { take } = await startStores();
  const taken = await Promise.all(Array.from({ length: 8 }, take));
  expect(taken.flatMap((each) => each.taken)).toHaveLength(1);
});

test('a chart that somebody asks for while its readings are about to end goes on being read', async () => {
  const stores = await startStores();
  const chart = await takeOne(stores);
  await stores.charts.noteAsked(key, due, planned('2026-03-11'));
  expect(await stores.dueCharts.retire(chart, due)).toBe(false);
  expect(await stores.one()).toMatchObject({ due_at: later, last_asked_at: due });
});

test('a chart whose readings have ended is planned again by whoever asks for it', async () => {
  const stores = await startStores();
  const chart = await takeOne(stores);
  expect(await stores.dueCharts.retire(chart, due)).toBe(true);
  expect(await stores.one()).toEqual({ _id: id, ...key, last_asked_at: asked });
  await stores.charts.noteAsked(key, due, planned('2026-03-11'));
  expect(await stores.one()).toEqual({ _id: id, ...key, last_asked_at: due, ...planned('2026-03-11') });
});

test('what a call has planned meanwhile is not undone by whoever had taken the chart', async () => {
  const stores = await startStores();
  const chart = await takeOne(stores);
  await stores.charts.noteRead(key, due, planned('2026-03-11'));
  expect(await stores.dueCharts.isHeld(chart)).toBe(false);
  await stores.dueCharts.release(chart, { due_at: due, failures: 3 });
  expect(await stores.dueCharts.retire(chart, later)).toBe(false);
  expect(await stores.one()).toMatchObject({ ...planned('2026-03-11'), failures: 0 });
});

test('asking for a chart that is planned leaves its plan as it is', async () => {
  const stores = await startStores();
  await stores.charts.noteAsked(key, due, planned('2026-03-11'));
  expect(await stores.one()).toMatchObject(planned('2026-03-10'));
});

test('many first calls for one chart plan it once', async () => {
  const { charts } = await startStores();
  const other = { ...key, country: 'DE' };
  await Promise.all(Array.from({ length: 8 }, () => charts.noteAsked(other, asked, planned('2026-03-10'))));
  expect(await charts.model.find({ country: 'DE' }).lean()).toEqual([
    { _id: 'ITUNES:DE:OVERALL:free', ...other, last_asked_at: asked, ...planned('2026-03-10') },
  ]);
});
