import { overallCategory } from '@shelfwise/facts/stores/categories';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { checkAll, PartState } from '@shelfwise/runtime/process/status';
import { type TestDatabase, useDatabase } from '../../../testing/use-database.ts';
import { forDailyRun, urgent } from '../src/budget/urgency.ts';
import { createSource } from '../src/create-source.ts';
import { storeFetchSchema } from '../src/schema.ts';
import type { StoreSource } from '../src/source.ts';
import type { SourceSettings } from '../src/start-live-source.ts';
import { useFakeStore } from './use-fake-store.ts';

const us = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
const urgentOptions = () => ({
  signal: new AbortController().signal,
  urgency: urgent,
  limit: 10,
  onDay: null,
});

const lines: string[] = [];
const logger = createLogger({
  name: 'test',
  level: 'trace',
  destination: { write: (line: string) => lines.push(line) },
});
let at: Date;
const now = () => at;
const closing: (() => Promise<unknown>)[] = [];
const fake = useFakeStore();

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
const database = useDatabase(storeFetchSchema);
beforeEach(() => {
  at = new Date('2026-11-21T12:00:00Z');
});

function settings(given: Partial<SourceSettings> = {}): SourceSettings {
  return {
    STORE_SOURCE: 'live',
    STORE_TIMEOUT_MS: 60_000,
    STORE_PROXIES: [],
    STORE_ITUNES_URL: fake.url,
    STORE_ITUNES_HINTS_URL: fake.url,
    STORE_APPS_URL: fake.url,
    STORE_PLAY_URL: fake.url,
    STORE_ITUNES_PER_MINUTE: 6000,
    STORE_ITUNES_HINTS_PER_MINUTE: 6000,
    STORE_ITUNES_PAGES_PER_MINUTE: 6000,
    STORE_PLAY_PER_MINUTE: 6000,
    ...given,
  };
}

/** Starts a process of the service, on the database of the file or of another process. */
async function start(given: Partial<SourceSettings> = {}, of?: Pick<TestDatabase, 'connection'>) {
  const { connection } = of ?? (await database.take());
  const metrics = createMetrics();
  const chosen = await createSource(settings(given), {
    metrics,
    now,
    connection,
    isDatabaseEmbedded: true,
    logger,
    random: () => 0,
  });
  closing.push(async () => {
    chosen.refuseQueued();
    await chosen.stop();
  });
  return { ...chosen, metrics, connection };
}

test('the sample has one part on the health page', async () => {
  const { source, checks } = await start({ STORE_SOURCE: 'sample' });
  expect(await checkAll(checks)).toMatchObject([{ name: 'store source', state: PartState.OK }]);
  const chart = { category: overallCategory, collection: 'free', limit: 10 } as const;
  expect((await source.chart(us, chart, { ...urgentOptions(), onDay: undefined })).source).toBe('sample');
});

test('the health page shows both stores, the number of addresses and the budgets', async () => {
  const { checks } = await start({ STORE_PROXIES: [new URL('http://127.0.0.1:9')] });
  expect(await checkAll(checks)).toMatchObject([
    {
      name: 'store source',
      state: PartState.OK,
      detail: 'live: the App Store and Google Play, over 2 addresses',
    },
    { name: 'App Store', state: PartState.OK },
    { name: 'Google Play', state: PartState.OK },
    { name: 'store budgets', state: PartState.OK, is_embedded: true },
  ]);
});

test('without its database the budgets are down and no store is called', async () => {
  const { checks, source, connection } = await start({}, await database.own());
  await connection.close();
  const before = fake.calls().length;
  await expect(source.search(us, 'notes', urgentOptions())).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  expect(fake.calls()).toHaveLength(before);
  const parts = await checkAll(checks);
  expect(parts.find(({ name }) => name === 'store budgets')).toMatchObject({ state: PartState.DOWN });
});

test('a budget written by a clock far ahead is not spent, and the health page says why', async () => {
  const { checks, source, connection, refuseQueued } = await start();
  const fullAt = new Date(now().getTime() + 3_600_000);
  await connection.collection('buckets').insertOne({ _id: 'itunes:direct' as never, full_at: fullAt });
  const before = fake.calls().length;
  const waiting = source.search(us, 'notes', urgentOptions());
  waiting.catch(() => {});
  const budgets = async () => (await checkAll(checks)).find(({ name }) => name === 'store budgets');
  while ((await budgets())?.state === PartState.OK);
  expect(await budgets()).toMatchObject({
    state: PartState.DEGRADED,
    detail: expect.stringMatching(/^written by a clock 3600 s ahead of this process's/),
  });
  expect(fake.calls()).toHaveLength(before);
  refuseQueued();
  await expect(waiting).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('suggestions of a store that throttles are null; metrics and health page show that it throttles', async () => {
  const { checks, source, metrics } = await start();
  await source.suggest(us, 'no', urgentOptions());
  fake.setFault('empty-hints');
  const jp = { store: 'ITUNES', country: 'JP', lang: 'ja-JP' } as const;
  expect((await source.suggest(us, 'pho', urgentOptions())).terms).toBeNull();
  const calls = fake.calls().length;
  expect((await source.suggest(us, 'cal', urgentOptions())).terms).toBeNull();
  expect((await source.suggest(jp, 'cal', urgentOptions())).terms).toBeNull();
  expect(fake.calls()).toHaveLength(calls);
  const text = await metrics.registry.metrics();
  expect(text).toContain(
    'shelfwise_store_calls_total{store="ITUNES",endpoint="itunes-hints",outcome="throttled"} 1',
  );
  expect(text).toContain(
    'shelfwise_store_breaker_open{store="ITUNES",endpoint="itunes-hints",address="direct"} 1',
  );
  const parts = await checkAll(checks);
  expect(parts.find(({ name }) => name === 'App Store')).toMatchObject({
    state: PartState.DEGRADED,
    detail: expect.stringContaining('itunes-hints throttled'),
  });
});

test('two processes share one budget, and the daily run leaves the rest of it to urgent calls', async () => {
  const limits = { STORE_ITUNES_PER_MINUTE: 3 };
  const one = await start(limits);
  const other = await start(limits, one);
  const before = fake.calls().length;
  await one.source.search(us, 'notes', { ...urgentOptions(), urgency: forDailyRun });
  // A call of the daily run costs a little more than a third of the budget.
  at = new Date(at.getTime() + 200);
  const leave = new AbortController();
  const daily = other.source.search(us, 'daily', {
    ...urgentOptions(),
    urgency: forDailyRun,
    signal: leave.signal,
  });
  await other.source.search(us, 'one', urgentOptions());
  await one.source.search(us, 'two', urgentOptions());
  const late = one.source.search(us, 'three', { ...urgentOptions(), signal: leave.signal });
  await other.source.suggest(us, 'no', urgentOptions());
  expect(
    fake
      .calls()
      .slice(before)
      .filter(({ path }) => path.endsWith('/search')),
  ).toHaveLength(3);
  leave.abort(new Error('gone'));
  for (const waiting of [daily, late]) await expect(waiting).rejects.toThrow('gone');
});

test('an answer that cannot be read is a plain error for the caller; the log has the endpoint and the reason', async () => {
  const { source } = await start();
  fake.setFault('garbage');
  const first = lines.length;
  await expect(source.search(us, 'notes', { ...urgentOptions(), requestId: 'req-9' })).rejects.toMatchObject({
    code: 'STORE_FETCH_FAILED',
    message: expect.stringMatching(/^The App Store sent an answer that Shelfwise cannot read\. /),
  });
  const logged = lines.slice(first).map((line) => JSON.parse(line));
  expect(logged).toContainEqual(
    expect.objectContaining({
      msg: 'an answer of a store cannot be read',
      request_id: 'req-9',
      store: 'ITUNES',
      endpoint: 'itunes-search',
      country: 'US',
      reason: expect.not.stringMatching(/^sent an answer that Shelfwise cannot read/),
      cause: expect.stringContaining('JSON'),
    }),
  );
});

test('the log names the apps or the chart of an answer that cannot be read, and no term', async () => {
  const { source } = await start();
  fake.setFault('garbage');
  const first = lines.length;
  const options = { ...urgentOptions(), requestId: 'req-9', withSubtitle: false, freshSince: null };
  await expect(source.search(us, 'my secret plan', options)).rejects.toThrow();
  await source.getListings(us, ['700000001', '700000002'], options);
  const chart = { category: overallCategory, collection: 'free', limit: 10 } as const;
  await expect(source.chart(us, chart, { ...options, onDay: undefined })).rejects.toThrow();
  const logged = lines
    .slice(first)
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'an answer of a store cannot be read');
  expect(logged).toContainEqual(
    expect.objectContaining({
      endpoint: 'itunes-lookup',
      app_ids: ['700000001', '700000002'],
      request_id: 'req-9',
    }),
  );
  expect(logged).toContainEqual(
    expect.objectContaining({
      endpoint: 'itunes-chart',
      chart: `${overallCategory} free`,
      request_id: 'req-9',
    }),
  );
  expect(lines.slice(first).join('')).not.toMatch(/secret/);
});

describe('a new version of the pages, in which no row has the fields of before', () => {
  const chartQuery = { category: overallCategory, collection: 'free', limit: 10 } as const;
  const chart = (source: StoreSource, category: string = overallCategory) =>
    source.chart(us, { ...chartQuery, category }, { ...urgentOptions(), onDay: undefined });
  const ids = ['700000001', '700000002', '700000003', '700000005'];
  const listings = (source: StoreSource, appIds = ids) =>
    source.getListings(us, appIds, { ...urgentOptions(), withSubtitle: false, freshSince: null });
  const logged = (from: number) =>
    lines
      .slice(from)
      .map((line) => JSON.parse(line))
      .filter(({ fields }) => fields !== undefined)
      .map(({ level, endpoint, country, fields }) => ({ level, endpoint, country, fields: fields.sort() }));

  test('is an answer, a warning in the log once a day for each field, and counted', async () => {
    const { source, metrics } = await start();
    const [first, warn] = [lines.length, 40];
    fake.setFault('lost-fields');
    const { apps } = await source.search(us, 'notes', urgentOptions());
    expect(apps.length).toBeGreaterThan(2);
    for (const app of apps) expect(app).toMatchObject({ developer_name: null, score: null });
    await source.search(us, 'photo', urgentOptions());
    for (const row of (await chart(source)).apps) expect(row).toMatchObject({ price: null, currency: null });
    await listings(source);
    const rows = [
      { level: warn, endpoint: 'itunes-search', country: 'US', fields: ['developer_name', 'score'] },
      {
        level: warn,
        endpoint: 'itunes-chart',
        country: 'US',
        fields: ['currency', 'developer_name', 'price'],
      },
      { level: warn, endpoint: 'itunes-lookup', country: 'US', fields: ['developer_name', 'score'] },
    ];
    expect(logged(first)).toEqual(rows);
    const counted = await metrics.registry.metrics();
    for (const [endpoint, field, pages] of [
      ['itunes-search', 'developer_name', 2],
      ['itunes-search', 'score', 2],
      ['itunes-chart', 'price', 1],
      ['itunes-lookup', 'score', 1],
    ])
      expect(counted).toContain(
        `shelfwise_store_lost_fields_total{store="ITUNES",endpoint="${endpoint}",field="${field}"} ${pages}`,
      );

    at = new Date('2026-11-22T00:00:01Z');
    const next = lines.length;
    await source.search(us, 'notes', urgentOptions());
    expect(logged(next)).toEqual(rows.slice(0, 1));
  });

  test('is not suspected of a few rows, of single odd ones, or of apps without ratings', async () => {
    const { source, metrics } = await start();
    const first = lines.length;
    await source.search(us, 'notes', urgentOptions());
    // Two of its apps have no ratings.
    await listings(source, ['700000005', '700000009']);
    fake.setFault('odd-rows', { only: '/us/rss' });
    expect((await chart(source)).apps.filter(({ price }) => price === null)).toHaveLength(1);
    fake.setFault('lost-fields');
    await listings(source, ids.slice(0, 2));
    expect(logged(first)).toEqual([]);
    expect(await metrics.registry.metrics()).not.toContain('shelfwise_store_lost_fields_total{');
  });
});

test('the password of a proxy is in no error, log line, metric, health page or database', async () => {
  // No server listens on this port.
  const proxy = new URL('http://somebody:s3cret-word@127.0.0.1:9');
  const { source, checks, metrics, connection } = await start({
    STORE_PROXIES: [proxy],
    STORE_ITUNES_URL: 'http://127.0.0.1:9',
  });
  const failures: unknown[] = [];
  for (let i = 0; i < 3; i++)
    await source.search(us, `notes ${i}`, urgentOptions()).catch((error) => failures.push(error));
  expect(failures).toHaveLength(3);
  const texts = [...lines, await metrics.registry.metrics(), JSON.stringify(await checkAll(checks))];
  for (const failure of failures)
    for (let error = failure; error instanceof Error; error = error.cause)
      texts.push(String(error), error.stack ?? '', JSON.stringify(error));
  const buckets = await connection.collection('buckets').find({}).toArray();
  texts.push(JSON.stringify(buckets));
  expect(texts.join('\n')).not.toMatch(/s3cret|somebody/);
  expect(buckets.map(({ _id }) => _id)).toEqual(
    expect.arrayContaining(['itunes:direct', expect.stringMatching(/^itunes:127\.0\.0\.1:9-[0-9a-f]{6}$/)]),
  );
});
