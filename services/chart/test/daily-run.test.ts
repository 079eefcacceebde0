import { createManualClock, type ManualClock } from '../../../testing/manual-clock.ts';
import { until } from '../../../testing/until.ts';
import { appsOf, chartedApp, neverAnswer, storeFailed } from './fake-store-fetch.ts';
import { type Chart, createHarness, topFree, untilIdle } from './start-chart.ts';

const { startChart } = createHarness();

const dayMs = 86_400_000;
const minuteMs = 60_000;
const endOf = (day: string) => `${day}T23:59:00Z`;
const overall = 'ITUNES:US:OVERALL:free';
const countries = ['US', 'DE', 'FR', 'ES', 'JP', 'BR', 'GB', 'IT', 'KR', 'NL'];

const getChart = ({ client }: Chart, change: object = {}) => client.getTopChart({ ...topFree, ...change });
const statusOf = ({ server }: Chart) => server.checks['daily run']?.();

/** Requests charts on the morning of 10 March through a copy without the daily run, then stops that copy. */
async function seed(charts: object[] = [{}]) {
  const clock = createManualClock('2026-03-10T09:00:00Z');
  const seeder = await startChart({ clock });
  for (const chart of charts) await getChart(seeder, chart);
  await seeder.stop();
  return { clock, seeder, database: seeder.database };
}

/**
 * Starts a copy in the daily run and waits until it has read what is due. `copies` is the number of running copies,
 * including this one.
 */
async function startDailyRun(
  { clock, database }: { clock: ManualClock; database: string },
  at?: string,
  copies = 1,
  hasOwnConnection = false,
) {
  if (at) clock.moveTo(at);
  const chart = await startChart({ clock, database, dailyRun: true, hasOwnConnection });
  await untilIdle(clock, copies);
  return chart;
}

/** Moves the clock in steps, so that failed reads become due again in between. */
async function pass(clock: ManualClock, ms: number, steps = 1): Promise<void> {
  for (let step = 0; step < steps; step++) {
    clock.advance(ms / steps);
    await untilIdle(clock);
  }
}

test('every requested chart is read once a UTC day, 200 rows deep, with the priority of the daily run', async () => {
  const charts = countries.map((country) => ({ country }));
  const seeded = await seed([...charts, { store: 'GPLAY', category: 'GAME', collection: 'GROSSING' }]);
  const chart = await startDailyRun(seeded, endOf('2026-03-10'));
  expect(chart.store.requests).toEqual([]);
  const readByHour: number[] = [];
  for (let hour = 3; hour <= 24; hour += 3) {
    const before = chart.store.requests.length;
    seeded.clock.moveTo(new Date(Date.parse('2026-03-10T23:59:59Z') + hour * 3_600_000));
    await untilIdle(seeded.clock);
    readByHour.push(chart.store.requests.length - before);
  }
  expect(chart.store.requests).toHaveLength(11);
  expect(readByHour.filter((count) => count > 0).length).toBeGreaterThan(4);
  expect((await chart.days()).filter((id) => id.endsWith('2026-03-11'))).toHaveLength(11);
  expect(chart.store.requests).toContainEqual({
    storefront: { store: 'GPLAY', country: 'US', lang: 'en-US' },
    category: 'GAME',
    collection: 'GROSSING',
    limit: 200,
    for_daily_run: true,
  });
});

test('a request on the next day shows how the apps have moved, without waiting for the store', async () => {
  const seeded = await seed();
  const chart = await startDailyRun(seeded);
  chart.store.setChart('OVERALL', appsOf(2).reverse());
  seeded.clock.moveTo(endOf('2026-03-11'));
  await untilIdle(seeded.clock);
  chart.store.answers.chart = neverAnswer;
  expect((await getChart(chart)).rows).toMatchObject([{ delta: 1 }, { delta: -1 }]);
});

test('a chart that a user’s call has read that day is not read again', async () => {
  const seeded = await seed();
  const chart = await startDailyRun(seeded);
  seeded.clock.moveTo('2026-03-11T00:00:00Z');
  await getChart(chart);
  await pass(seeded.clock, 23.9 * 3_600_000, 4);
  expect(chart.store.requests).toHaveLength(1);
});

test('a request is not delayed while the daily run waits for the store, and the chart that it got stays', async () => {
  const seeded = await seed();
  const chart = await startDailyRun(seeded);
  const go = chart.store.hold((request) => request.for_daily_run);
  seeded.clock.moveTo(endOf('2026-03-11'));
  await until(() => chart.store.requests.length === 1);
  const mine = await getChart(chart);
  const [planned] = await chart.rows('charts');
  chart.store.setChart('OVERALL', appsOf(5).reverse());
  go();
  await untilIdle(seeded.clock);
  expect(await getChart(chart)).toEqual(mine);
  expect(await chart.rows('charts')).toEqual([planned]);
});

test('after days without a running copy, each chart is read once; missed days stay missing', async () => {
  const seeded = await seed([{}, { country: 'DE' }]);
  const chart = await startDailyRun(seeded, endOf('2026-03-14'));
  expect(await chart.days()).toEqual([
    'ITUNES:DE:OVERALL:free:2026-03-10',
    'ITUNES:DE:OVERALL:free:2026-03-14',
    `${overall}:2026-03-10`,
    `${overall}:2026-03-14`,
  ]);
  expect((await getChart(chart)).rows.every((row) => row.delta === 0 && !row.is_new)).toBe(true);
});

test('a chart that is no longer requested is read for thirty more days, and daily again after the next request', async () => {
  const seeded = await seed();
  const chart = await startDailyRun(seeded);
  for (let day = 1; day <= 32; day++) {
    seeded.clock.moveTo(new Date(Date.parse('2026-03-10T23:59:00Z') + day * dayMs));
    await untilIdle(seeded.clock);
  }
  expect(chart.store.requests).toHaveLength(30);
  expect(await chart.rows('charts')).toMatchObject([{ _id: overall, last_requested_at: expect.any(Date) }]);
  expect((await statusOf(chart))?.detail).toBe(
    'counted at 23:59 UTC: 0 of 0 charts read today, 0 due, 0 late',
  );
  await getChart(chart);
  await pass(seeded.clock, dayMs);
  expect(chart.store.requests).toHaveLength(32);
});

test('the daily run updates a chart twice a day: to claim it and to plan it', async () => {
  const seeded = await seed();
  const chart = await startDailyRun(seeded);
  const claims = jest.spyOn(chart.connection.model('Chart').collection, 'bulkWrite');
  const updates = jest.spyOn(chart.connection.model('Chart'), 'updateOne');
  seeded.clock.moveTo(endOf('2026-03-11'));
  await untilIdle(seeded.clock);
  expect(await chart.days()).toHaveLength(2);
  expect([claims.mock.calls.length, updates.mock.calls.length]).toEqual([1, 1]);
});

test('one request a day keeps a chart in the daily run, and only the first request of a day is written', async () => {
  const seeded = await seed();
  const chart = await startDailyRun(seeded);
  const updates = jest.spyOn(chart.connection.model('Chart'), 'updateOne');
  const requestedAt = async () => (await chart.rows('charts'))[0]?.last_requested_at;
  await getChart(chart);
  expect(updates).not.toHaveBeenCalled();
  seeded.clock.moveTo(endOf('2026-03-11'));
  await untilIdle(seeded.clock);
  updates.mockClear();
  await getChart(chart);
  expect(await requestedAt()).toEqual(new Date(endOf('2026-03-11')));
  const written = updates.mock.calls.length;
  await getChart(chart);
  expect(updates).toHaveBeenCalledTimes(written);
});

test('copies on one database share the work and read no chart twice', async () => {
  const seeded = await seed(countries.map((country) => ({ country })));
  const copies = [await startDailyRun(seeded), await startDailyRun(seeded, undefined, 2)];
  for (const { store } of copies) {
    const { chart: read } = store.answers;
    // Neither copy continues before both have started a read.
    store.answers.chart = async (request, call) => {
      await until(() => copies.every((copy) => copy.store.requests.length > 0));
      return read(request, call);
    };
  }
  seeded.clock.moveTo(endOf('2026-03-11'));
  await untilIdle(seeded.clock, 2);
  const read = copies.flatMap(({ store }) => store.requests.map(({ storefront }) => storefront?.country));
  expect(read.sort()).toEqual([...countries].sort());
});

test('a chart that a crashed copy was reading is read by another copy when the claim expires', async () => {
  const seeded = await seed();
  const dying = await startDailyRun(seeded, undefined, 1, true);
  dying.store.answers.chart = neverAnswer;
  seeded.clock.moveTo(endOf('2026-03-11'));
  await until(() => dying.store.requests.length === 1);
  await dying.connection.getClient().close();

  const successor = await startChart({ ...seeded, dailyRun: true });
  await until(async () => (await statusOf(successor))?.detail.startsWith('counted') === true);
  expect(successor.store.requests).toEqual([]);
  seeded.clock.advance(3 * minuteMs);
  await until(() => successor.store.requests.length === 1);
  await until(async () => (await successor.days()).length === 2);
});

test('a chart that the daily run cannot read is retried, and is late after an hour', async () => {
  const seeded = await seed();
  const chart = await startDailyRun(seeded);
  const recover = chart.store.fail();
  const [planned] = await chart.rows('charts');
  seeded.clock.moveTo(planned?.due_at);
  await untilIdle(seeded.clock);
  expect(await statusOf(chart)).toMatchObject({ state: 'OK' });
  await pass(seeded.clock, 61 * minuteMs, 10);
  expect(chart.store.requests.length).toBeGreaterThan(4);
  expect(await statusOf(chart)).toMatchObject({
    state: 'DEGRADED',
    detail: expect.stringMatching(
      /^counted at \d\d:\d\d UTC: 0 of 1 chart read today, \d due, 1 late; .*The store blocks us/,
    ),
  });
  recover();
  await pass(seeded.clock, 30 * minuteMs, 2);
  await pass(seeded.clock, minuteMs);
  expect(await statusOf(chart)).toMatchObject({
    state: 'OK',
    detail: expect.stringMatching(/^counted at \d\d:\d\d UTC: 1 of 1 chart read today, 0 due, 0 late$/),
  });
});

test('a chart of an earlier day does not count as a read of today', async () => {
  const seeded = await seed();
  const chart = await startDailyRun(seeded);
  const { chart: read } = chart.store.answers;
  chart.store.answers.chart = async (request, call) => ({
    ...(await read(request, call)),
    reading: { read_at: new Date('2026-03-10T23:59:59Z'), source: 'app-store' },
  });
  seeded.clock.moveTo(endOf('2026-03-11'));
  await untilIdle(seeded.clock);
  expect(await chart.days()).toEqual([`${overall}:2026-03-10`]);
  expect((await chart.rows('charts'))[0]).toMatchObject({ failures: 1 });
});

describe('ratings that could not be read', () => {
  const unrated = () => ['1', '2'].map((id) => chartedApp(id, { score: undefined }));

  async function startUnrated() {
    const clock = createManualClock('2026-03-10T09:00:00Z');
    const chart = await startChart({ clock, dailyRun: true });
    await untilIdle(clock);
    chart.store.setChart('OVERALL', unrated());
    expect((await getChart(chart)).rows).toMatchObject([{ rating: null }, { rating: null }]);
    return { chart, clock };
  }

  test('are filled in later that day, and the ranks stay as first read', async () => {
    const { chart, clock } = await startUnrated();
    const first = await getChart(chart);
    chart.store.setChart('OVERALL', [chartedApp('2', { score: 2 }), chartedApp('1', { score: 1 })]);
    await pass(clock, 7 * minuteMs);
    const { rows, ...rest } = await getChart(chart);
    expect(rest).toEqual({ ...first, rows: undefined });
    expect(rows).toMatchObject([
      { app_id: '1', rating: 1 },
      { app_id: '2', rating: 2 },
    ]);
    await pass(clock, 8 * 3_600_000, 4);
    expect(chart.store.requests).toHaveLength(2);
  });

  test('are requested three more times when the apps are unrated, and again the next day', async () => {
    const { chart, clock } = await startUnrated();
    await pass(clock, 14.5 * 3_600_000, 15);
    expect(chart.store.requests).toHaveLength(4);
    clock.moveTo(endOf('2026-03-11'));
    await untilIdle(clock);
    expect(await chart.days()).toHaveLength(2);
  });

  test('are also requested three more times when the reads fail, and the next day is read as planned', async () => {
    const { chart, clock } = await startUnrated();
    const recover = chart.store.fail();
    await pass(clock, 14.9 * 3_600_000, 20);
    expect(chart.store.requests).toHaveLength(4);
    const [plan] = await chart.rows('charts');
    expect(plan).toMatchObject({ due_at: plan?.planned_at, failures: 0 });
    recover();
    clock.moveTo(plan?.planned_at);
    await untilIdle(clock);
    expect(chart.store.requests).toHaveLength(5);
    expect(await chart.days()).toHaveLength(2);
  });

  test('are filled in by the attempt after a failed one', async () => {
    const { chart, clock } = await startUnrated();
    const recover = chart.store.fail();
    await pass(clock, 7 * minuteMs);
    expect((await getChart(chart)).rows).toMatchObject([{ rating: null }, { rating: null }]);
    recover();
    chart.store.setChart('OVERALL', [chartedApp('2', { score: 2 }), chartedApp('1', { score: 1 })]);
    await pass(clock, 61 * minuteMs, 3);
    expect((await getChart(chart)).rows).toMatchObject([{ rating: 1 }, { rating: 2 }]);
    expect(chart.store.requests).toHaveLength(3);
  });
});

test('the metrics count charts that are due, late and read today, by store', async () => {
  const seeded = await seed([{}, { country: 'DE' }, { store: 'GPLAY', category: 'GAME' }]);
  const chart = await startDailyRun(seeded);
  const counted = async () =>
    (await chart.metrics.registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith('shelfwise_charts_'))
      .sort();
  expect(await counted()).toEqual([
    'shelfwise_charts_due{store="GPLAY"} 0',
    'shelfwise_charts_due{store="ITUNES"} 0',
    'shelfwise_charts_late{store="GPLAY"} 0',
    'shelfwise_charts_late{store="ITUNES"} 0',
    'shelfwise_charts_read_today{store="GPLAY"} 1',
    'shelfwise_charts_read_today{store="ITUNES"} 2',
  ]);
  const { chart: read } = chart.store.answers;
  chart.store.answers.chart = async (request, call) => {
    if (request.storefront?.store === 'GPLAY') throw storeFailed();
    return read(request, call);
  };
  seeded.clock.moveTo(endOf('2026-03-11'));
  await untilIdle(seeded.clock);
  seeded.clock.advance(31_000);
  await untilIdle(seeded.clock);
  expect(await counted()).toEqual([
    'shelfwise_charts_due{store="GPLAY"} 0',
    'shelfwise_charts_due{store="ITUNES"} 0',
    'shelfwise_charts_late{store="GPLAY"} 1',
    'shelfwise_charts_late{store="ITUNES"} 0',
    'shelfwise_charts_read_today{store="GPLAY"} 0',
    'shelfwise_charts_read_today{store="ITUNES"} 2',
  ]);
});

test('on the sample, a missing day before is filled in, because the past can be read', async () => {
  const clock = createManualClock('2026-03-10T09:00:00Z');
  const seeder = await startChart({ clock });
  seeder.store.origin.source = 'sample';
  await getChart(seeder);
  await seeder.stop();
  clock.moveTo(endOf('2026-03-14'));
  const chart = await startChart({ clock, database: seeder.database, dailyRun: true });
  chart.store.origin.source = 'sample';
  await until(async () => (await chart.days()).length === 4);
  expect((await chart.days()).map((id) => id.slice(-10))).toEqual([
    '2026-03-09',
    '2026-03-10',
    '2026-03-13',
    '2026-03-14',
  ]);
});

test('snapshots older than 400 days are deleted, the others stay', async () => {
  const seeded = await seed();
  const chart = await startChart({ ...seeded });
  const [known] = await chart.rows('chart_snapshots');
  const dayOf = (ago: number) =>
    new Date(Date.parse('2026-03-10T12:00:00Z') - ago * dayMs).toISOString().slice(0, 10);
  const old = [400, ...Array.from({ length: 230 }, (_, index) => 401 + index)].map((ago) => ({
    ...known,
    _id: `${overall}:${dayOf(ago)}`,
    day: dayOf(ago),
    app_ids: [],
  }));
  await chart.connection.model('ChartSnapshot').collection.insertMany(old as never[]);
  await startDailyRun(seeded);
  await until(async () => (await chart.days()).length === 2);
  expect(await chart.days()).toEqual([`${overall}:${dayOf(400)}`, `${overall}:2026-03-10`]);
});
