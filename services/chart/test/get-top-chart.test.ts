import { AppError } from '@shelfwise/runtime/errors';
import { callWithin, codeOf } from '../../../testing/call-within.ts';
import { until } from '../../../testing/until.ts';
import { appsOf, chartedApp, neverAnswer } from './fake-store-fetch.ts';
import { type Chart, createHarness, topFree } from './start-chart.ts';

const { startChart } = createHarness();

const dayMs = 86_400_000;
const getChart = ({ client }: Chart, change: object = {}) => client.getTopChart({ ...topFree, ...change });

/**
 * Waits until the calls made so far have reached the service. Calls of one connection arrive in order, and a client
 * alternates between two connections, so one invalid call is made and answered on each.
 */
const untilArrived = (chart: Chart) =>
  Promise.allSettled([getChart(chart, { country: 'XX' }), getChart(chart, { country: 'XX' })]);

/** Moves the clock to the same time of the next day. */
const nextDay = ({ clock }: Chart) => clock.advance(dayMs);

test('a chart lists its apps in rank order; what the store does not show is null', async () => {
  const chart = await startChart();
  const unknown = { score: undefined, price: undefined, currency: undefined };
  chart.store.setChart('OVERALL', [chartedApp('1001', { price: 2.99 }), chartedApp('1002', unknown)]);
  const row = (appId: string) => ({
    app_id: appId,
    ios_id: Number(appId),
    title: `Title of ${appId}`,
    icon: `https://icons.test/${appId}.png`,
    developer: `Developer of ${appId}`,
    delta: 0,
    is_new: false,
  });
  expect(await getChart(chart)).toEqual({
    snapshot_date: '2026-03-10',
    read_at: chart.clock.at,
    source: 'app-store',
    total_count: 2,
    has_day_before: false,
    rows: [
      { ...row('1001'), rank: 1, rating: 4.5, price: 2.99, currency: 'USD' },
      { ...row('1002'), rank: 2, rating: null, price: null, currency: null },
    ],
  });
});

test('an app of Google Play has no numeric id', async () => {
  const chart = await startChart();
  chart.store.origin.source = 'google-play';
  chart.store.setChart('GAME', [chartedApp('com.example.game')]);
  const { rows } = await getChart(chart, { store: 'GPLAY', category: 'GAME' });
  expect(rows).toMatchObject([{ app_id: 'com.example.game', ios_id: null }]);
});

test('the limit shortens only the reply: total_count and the chart read from the store have all rows', async () => {
  const chart = await startChart();
  chart.store.setChart('OVERALL', appsOf(200));
  expect(await getChart(chart, { limit: 1 })).toMatchObject({ total_count: 200, rows: [{ app_id: '1001' }] });
  const { rows } = await getChart(chart, { limit: 200 });
  expect(rows.map(({ rank }) => rank)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
  expect(chart.store.requests).toEqual([
    {
      storefront: { store: 'ITUNES', country: 'US', lang: 'en-US' },
      category: 'OVERALL',
      collection: 'FREE',
      limit: 200,
      for_daily_run: false,
    },
  ]);
});

test('the first chart that is read on a day is the chart of that day', async () => {
  const chart = await startChart();
  const first = await getChart(chart);
  chart.store.setChart('OVERALL', appsOf(3).reverse());
  chart.clock.advance(10 * 3_600_000);
  expect(await getChart(chart)).toEqual(first);
  expect(chart.store.requests).toHaveLength(1);
});

test('charts of other countries, categories and collections are stored separately', async () => {
  const chart = await startChart();
  for (const change of [{}, { country: 'DE' }, { category: '6015' }, { collection: 'PAID' }])
    await getChart(chart, change);
  expect(await chart.days()).toEqual([
    'ITUNES:DE:OVERALL:free:2026-03-10',
    'ITUNES:US:6015:free:2026-03-10',
    'ITUNES:US:OVERALL:free:2026-03-10',
    'ITUNES:US:OVERALL:paid:2026-03-10',
  ]);
});

test('delta is the ranks gained since the day before; an app that was not in that chart is new and has delta 0', async () => {
  const chart = await startChart();
  chart.store.setChart('OVERALL', ['1', '2', '3', '4']);
  await getChart(chart);
  nextDay(chart);
  chart.store.setChart('OVERALL', ['3', '5', '1', '4']);
  expect((await getChart(chart)).rows).toMatchObject([
    { app_id: '3', delta: 2, is_new: false },
    { app_id: '5', delta: 0, is_new: true },
    { app_id: '1', delta: -2, is_new: false },
    { app_id: '4', delta: 0, is_new: false },
  ]);
});

test('an app that was not in the chart of the day before is new, however short that chart was', async () => {
  const chart = await startChart();
  chart.store.setChart('OVERALL', appsOf(2));
  await getChart(chart);
  nextDay(chart);
  chart.store.setChart('OVERALL', ['9001', '9002', '9003', '1002']);
  expect((await getChart(chart)).rows).toMatchObject([
    { is_new: true, delta: 0 },
    { is_new: true, delta: 0 },
    { is_new: true, delta: 0 },
    { is_new: false, delta: -2 },
  ]);
});

test('only the day before counts: after a day without a chart, no app has moved and none is new', async () => {
  const chart = await startChart();
  await getChart(chart);
  chart.clock.advance(2 * dayMs);
  chart.store.setChart('OVERALL', appsOf(100).reverse());
  const { rows } = await getChart(chart);
  expect(rows.every((row) => row.delta === 0 && !row.is_new)).toBe(true);
});

test('an empty chart is a valid chart; the day after, every app is new', async () => {
  const chart = await startChart();
  chart.store.setChart('6015', []);
  expect(await getChart(chart, { category: '6015' })).toMatchObject({ total_count: 0, rows: [] });
  nextDay(chart);
  chart.store.setChart('6015', appsOf(1));
  expect((await getChart(chart, { category: '6015' })).rows).toMatchObject([{ delta: 0, is_new: true }]);
});

test('when the store cannot be read, the call is STORE_FETCH_FAILED, not yesterday’s chart, and nothing is saved', async () => {
  const chart = await startChart();
  await getChart(chart);
  nextDay(chart);
  chart.store.fail();
  expect(await codeOf(getChart(chart))).toBe('STORE_FETCH_FAILED');
  expect(await chart.days()).toHaveLength(1);
});

test('a chart that store-fetch read on an earlier day is stored under that day and not served as today’s', async () => {
  const chart = await startChart();
  const { chart: read } = chart.store.answers;
  chart.store.answers.chart = async (request, call) => {
    const reply = await read(request, call);
    return { ...reply, reading: { read_at: new Date('2026-03-09T23:59:59Z'), source: 'app-store' } };
  };
  await expect(getChart(chart)).rejects.toMatchObject({
    code: 'STORE_FETCH_FAILED',
    message: expect.stringMatching(/2026-03-09/),
  });
  expect(await chart.days()).toEqual(['ITUNES:US:OVERALL:free:2026-03-09']);
});

test('a chart that is read across midnight belongs to the day on which the store was read', async () => {
  const chart = await startChart();
  chart.clock.moveTo('2026-03-10T23:59:59Z');
  const { chart: read } = chart.store.answers;
  chart.store.answers.chart = (request, call) => {
    chart.clock.moveTo('2026-03-11T00:00:01Z');
    return read(request, call);
  };
  expect((await getChart(chart)).snapshot_date).toBe('2026-03-11');
});

test.each([
  ['does not say when it was read', { reading: { source: 'app-store', read_at: null } }],
  ['has a row without an app', { apps: [chartedApp('')] }],
])('a chart that %s is refused', async (_what, broken) => {
  const chart = await startChart();
  const { chart: read } = chart.store.answers;
  chart.store.answers.chart = async (request, call) => ({ ...(await read(request, call)), ...broken });
  expect(await codeOf(getChart(chart))).toBe('STORE_FETCH_FAILED');
  expect(await chart.days()).toEqual([]);
});

test('an app that the store lists twice keeps its better rank, and the apps below its second one move up', async () => {
  const chart = await startChart();
  chart.store.setChart('OVERALL', ['1', '2', '1', '3']);
  const { rows } = await getChart(chart);
  expect(rows.map((row) => [row.rank, row.app_id])).toEqual([
    [1, '1'],
    [2, '2'],
    [3, '3'],
  ]);
});

describe('with sample data', () => {
  test('the first chart shows movement, because the day before is read too', async () => {
    const chart = await startChart();
    chart.store.origin.source = 'sample';
    chart.store.setChart('OVERALL', ['1', '2']);
    chart.store.setChart('OVERALL', ['2', '3'], '2026-03-09');
    expect((await getChart(chart)).rows).toMatchObject([
      { app_id: '1', is_new: true },
      { app_id: '2', delta: -1 },
    ]);
    expect(await chart.days()).toEqual([
      'ITUNES:US:OVERALL:free:2026-03-09',
      'ITUNES:US:OVERALL:free:2026-03-10',
    ]);
  });

  test('the day before is not read again if it is already stored', async () => {
    const chart = await startChart();
    chart.store.origin.source = 'sample';
    await getChart(chart);
    nextDay(chart);
    await getChart(chart);
    expect(chart.store.requests.map((request) => request.on_day)).toEqual([
      undefined,
      '2026-03-09',
      undefined,
    ]);
  });

  test('a live store is requested for its current chart only', async () => {
    const chart = await startChart();
    await getChart(chart);
    expect(chart.store.requests.map((request) => request.on_day)).toEqual([undefined]);
  });
});

test.each([
  ['store', { store: 'UNSPECIFIED' }],
  ['country', { country: 'XX' }],
  ['category', { category: '' }],
  ['category', { category: 'X'.repeat(65) }],
  ['category', { category: 'FINANCE' }],
  ['category', { category: '__proto__' }],
  ['category', { category: '6999' }],
  ['category', { store: 'GPLAY', category: '6016' }],
  ['category', { store: 'GPLAY', category: 'GAME_OF_THE_FUTURE' }],
  ['collection', { collection: 'UNSPECIFIED' }],
  ['limit', { limit: 0 }],
  ['limit', { limit: 201 }],
] as const)('an invalid %s is refused and named: %j', async (field, change) => {
  const chart = await startChart();
  await expect(getChart(chart, change)).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    details: { issues: { fieldErrors: { [field]: [expect.any(String)] } } },
  });
  expect(chart.store.requests).toEqual([]);
  expect(await chart.rows('charts')).toEqual([]);
});

test('the error for an invalid category says where the valid ones are listed', async () => {
  const chart = await startChart();
  await expect(getChart(chart, { category: 'NONE' })).rejects.toMatchObject({
    message: expect.stringMatching(/top-charts\/categories/),
  });
});

test('concurrent callers of one chart share one read', async () => {
  const chart = await startChart();
  const go = chart.store.hold();
  const calls = [getChart(chart, { limit: 1 }), getChart(chart, { limit: 2 }), getChart(chart, { limit: 3 })];
  await until(() => chart.store.requests.length > 0);
  // Otherwise the first call could be answered before the others start.
  await untilArrived(chart);
  go();
  const lengths = (await Promise.all(calls)).map(({ rows }) => rows.length);
  expect(lengths).toEqual([1, 2, 3]);
  expect(chart.store.requests).toHaveLength(1);
});

test('when two copies read one chart at the same time, both return the one that was saved first', async () => {
  const one = await startChart();
  const other = await startChart({ database: one.database, clock: one.clock });
  one.store.setChart('OVERALL', appsOf(5));
  other.store.setChart('OVERALL', appsOf(5).reverse());
  for (const { store } of [one, other]) {
    const { chart: read } = store.answers;
    store.answers.chart = async (request, call) => {
      await until(() => one.store.requests.length > 0 && other.store.requests.length > 0);
      return read(request, call);
    };
  }
  const [first, second] = await Promise.all([getChart(one), getChart(other)]);
  expect(first).toEqual(second);
  expect(await one.days()).toHaveLength(1);
});

test('a store that is too slow for the caller is STORE_FETCH_FAILED 2 s before the caller’s deadline', async () => {
  const { client, store } = await startChart();
  store.answers.chart = neverAnswer;
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] });
  try {
    let outcome: unknown;
    const call = client.getTopChart(topFree, callWithin(35_000)).catch((error: unknown) => {
      outcome = error;
    });
    while (store.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await jest.advanceTimersByTimeAsync(32_999);
    expect(outcome).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    await call;
    expect(outcome).toMatchObject({ code: 'STORE_FETCH_FAILED' });
  } finally {
    jest.useRealTimers();
  }
});

test('when one of several callers cancels, the others still get the chart', async () => {
  const chart = await startChart();
  const go = chart.store.hold();
  const canceling = new AbortController();
  const canceled = chart.client.getTopChart(topFree, { ...callWithin(), signal: canceling.signal });
  await until(() => chart.store.requests.length === 1);
  const other = getChart(chart);
  await untilArrived(chart);
  canceling.abort();
  await expect(canceled).rejects.toBeInstanceOf(AppError);
  go();
  expect((await other).total_count).toBe(100);
});

test('a chart is read for its caller; two callers share no read, because one may wait longer', async () => {
  const { client, store } = await startChart();
  const open = store.hold();
  const { chart } = store.answers;
  const readers: (string | undefined)[] = [];
  store.answers.chart = async (request, call) => {
    readers.push(call.callerId);
    return chart(request, call);
  };
  const charts = ['ann', 'ben'].map((callerId) =>
    client.getTopChart({ ...topFree }, { ...callWithin(), callerId }),
  );
  await until(() => readers.length === 2);
  open();
  const [first, second] = await Promise.all(charts);
  expect(readers.sort()).toEqual(['ann', 'ben']);
  expect(first).toEqual(second);
});

test('a kept chart is answered without reading the store, and one of another day is not', async () => {
  const chart = await startChart();
  chart.store.setChart('OVERALL', appsOf(2));
  expect(await codeOf(getChart(chart, { kept_only: true }))).toBe('NOT_FOUND');
  expect(chart.store.requests).toEqual([]);
  await getChart(chart);
  expect(await getChart(chart, { kept_only: true })).toMatchObject({ total_count: 2, has_day_before: false });
  expect(chart.store.requests).toHaveLength(1);
  nextDay(chart);
  expect(await codeOf(getChart(chart, { kept_only: true }))).toBe('NOT_FOUND');
  await getChart(chart);
  expect(await getChart(chart, { kept_only: true })).toMatchObject({ has_day_before: true });
});
