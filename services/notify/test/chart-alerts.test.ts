import { createManualClock } from '../../../testing/manual-clock.ts';
import { messagesOf } from '../../../testing/recording-bus.ts';
import { until } from '../../../testing/until.ts';
import { allAlerts, createHarness, listingOf, type Notify, publisher, untilIdle } from './start-notify.ts';

const dayMs = 24 * 3_600_000;

const { startNotify } = createHarness();

const inChart = { genre_key: '6007', price: 0 };
const rule = { account_id: 'ann', keywords: null, is_enabled: true, channel_ids: [] };

/** ann tracks application 1, a free app of the category Productivity, and has a rule of each kind about charts since 1 March. */
async function start(options?: Parameters<typeof startNotify>[0]) {
  const notify = await startNotify({ clock: createManualClock('2026-03-01T09:00:00Z'), ...options });
  const publish = publisher(notify);
  await publish.trackApp({ listing: listingOf(1, inChart) as never });
  const { client } = notify;
  // The first look at the rules of all accounts is over.
  await untilIdle(notify.clock);
  const rules = [];
  for (const kind of ['CHART_ENTERED', 'CHART_LEFT'] as const)
    rules.push((await client.createAlertRule({ ...rule, kind })).rule);
  return { notify, rules, ...notify, ...publish };
}

const feed = async ({ client }: Pick<Notify, 'client'>, accountId = 'ann') => {
  const { alerts } = await client.listAlerts({ ...allAlerts, account_id: accountId, since: 0 });
  return alerts.map(({ kind, evidence }) => `${kind} ${evidence?.day_before} ${evidence?.day_after}`);
};

const wishes = ({ bus }: Pick<Notify, 'bus'>) => messagesOf(bus.published, 'notify.chart-wanted.v1');

test('an app that enters the chart and leaves it gives an alert with both days; the first reading is no entry', async () => {
  const system = await start();
  const { takeChart, client, clock, rules } = system;
  await takeChart(7, { 'app-1': 20 });
  expect(await feed(system)).toEqual([]);
  await takeChart(8, {});
  await takeChart(9, { 'app-1': 34 });
  const { alerts } = await client.listAlerts({ ...allAlerts, since: 0 });
  expect(alerts).toMatchObject([{ kind: 'CHART_LEFT', id: 1 }, { kind: 'CHART_ENTERED' }]);
  expect(alerts[1]).toEqual({
    id: 2,
    kind: 'CHART_ENTERED',
    at: clock.at,
    rule_id: rules[0]?.id,
    app: { id: 1, app_id: 'app-1', title: 'App 1' },
    keyword_id: null,
    keyword: null,
    before: null,
    after: 34,
    evidence: {
      day_before: '2026-03-08',
      day_after: '2026-03-09',
      threshold: 100,
      ranks: [{ app_id: 'app-1', before: null, after: 34 }],
      other_app: null,
      fields: [],
      channel_id: null,
      channel_name: null,
      off_reason: null,
      is_confirmed: null,
      store: null,
      unread_keywords: null,
      chart: { store: 'ITUNES', country: 'US', category: '6007', collection: 'FREE', depth: 100 },
    },
    text: 'App 1 entered the top 100 of the chart Productivity (free, US): from not ranked to rank 34 between 2026-03-08 and 2026-03-09.',
  });
});

test('a day that was missing, empty or read in part only is compared with nothing', async () => {
  const system = await start();
  const { takeChart } = system;
  await takeChart(5, { 'app-1': 70 });
  await takeChart(6, {}, { size: 0 });
  await takeChart(7, {}, { size: 60 });
  // Nothing on 8 March.
  await takeChart(9, { 'app-1': 71 });
  expect(await feed(system)).toEqual([]);
  await takeChart(10, {}, { size: 60 });
  await takeChart(12, {});
  expect(await feed(system)).toEqual(['CHART_LEFT 2026-03-09 2026-03-12']);
});

test('an event that comes again, late or in two copies gives no alert twice', async () => {
  const system = await start();
  const { takeChart, bus, connection } = system;
  const first = await takeChart(8, {});
  const [kept] = await connection.collection('chart_pages').find({}).toArray();
  const second = await takeChart(9, { 'app-1': 34 });
  await bus.redeliver(second);
  await bus.redeliver(first);
  // As after a crash between the alert and the reading that is kept.
  await connection.collection('chart_pages').replaceOne({}, { ...kept });
  await Promise.all([bus.redeliver(second), bus.redeliver(second)]);
  expect(await feed(system)).toEqual(['CHART_ENTERED 2026-03-08 2026-03-09']);
});

test('other charts, other apps, and accounts without a rule or that track the app since today, get no alert', async () => {
  const system = await start();
  const { takeChart, trackApp, client } = system;
  await trackApp({ account_id: 'bob', listing: listingOf(1, inChart) as never });
  await trackApp({
    account_id: 'eve',
    listing: listingOf(1, inChart) as never,
    at: new Date('2026-03-09T08:00:00Z'),
  });
  await client.createAlertRule({ ...rule, account_id: 'eve', kind: 'CHART_ENTERED' });
  await takeChart(8, {});
  await takeChart(8, {}, { collection: 'PAID' });
  await takeChart(9, { 'app-1': 34 });
  await takeChart(9, { 'app-1': 34 }, { collection: 'PAID' });
  expect(await feed(system)).toHaveLength(1);
  expect(await feed(system, 'bob')).toEqual([]);
  expect(await feed(system, 'eve')).toEqual([]);
});

test('a reading of before the rule was made, or turned on again, is compared with nothing', async () => {
  const system = await start();
  const { takeChart, trackApp, client, clock, rules } = system;
  await trackApp({ account_id: 'bob', listing: listingOf(1, inChart) as never });
  await takeChart(3, {});
  clock.advance(3 * dayMs);
  // On 4 March.
  await client.createAlertRule({ ...rule, account_id: 'bob', kind: 'CHART_ENTERED' });
  await takeChart(4, { 'app-1': 34 });
  expect(await feed(system, 'bob')).toEqual([]);
  expect(await feed(system)).toEqual(['CHART_ENTERED 2026-03-03 2026-03-04']);
  const left = { account_id: 'ann', id: rules[1]?.id ?? 0, keywords: null, app: null, channels: null };
  await client.updateAlertRule({ ...left, is_enabled: false });
  clock.advance(2 * dayMs);
  await client.updateAlertRule({ ...left, is_enabled: true });
  // It is on already.
  clock.advance(2 * dayMs);
  await client.updateAlertRule({ ...left, is_enabled: true });
  await takeChart(6, {});
  expect(await feed(system)).toHaveLength(1);
  await takeChart(7, { 'app-1': 34 });
  await takeChart(8, {});
  expect(await feed(system)).toContain('CHART_LEFT 2026-03-07 2026-03-08');
  expect(await feed(system, 'bob')).toEqual(['CHART_ENTERED 2026-03-06 2026-03-07']);
});

test('the charts of rules are asked for when a rule is made, each once, and again every six hours', async () => {
  const system = await start();
  const { trackApp, clock, client, bus } = system;
  await until(() => wishes(system).length === 2);
  const productivity = { store: 'ITUNES', country: 'US', category: '6007', collection: 'FREE' };
  expect(wishes(system)[0]).toEqual(productivity);
  expect(bus.published[0]?.key).toBe('ITUNES:US:6007:free');
  await trackApp({ listing: listingOf(2, { genre_key: '6014', price: 4.99 }) as never });
  await trackApp({ listing: listingOf(3, { genre_key: '6014' }) as never });
  const asked = wishes(system).length;
  clock.advance(6 * 3_600_000);
  await untilIdle(clock);
  expect(wishes(system).slice(asked)).toEqual([
    productivity,
    { ...productivity, category: '6014', collection: 'PAID' },
  ]);
  const { rules } = await client.listAlertRules({ account_id: 'ann', page: 1, per_page: 50 });
  for (const { id } of rules) await client.deleteAlertRule({ account_id: 'ann', id });
  const before = wishes(system).length;
  clock.advance(6 * 3_600_000);
  await untilIdle(clock);
  expect(wishes(system)).toHaveLength(before);
});

test('a rule that is changed asks for its own chart only, and for none when it looks at no other one now', async () => {
  const system = await start();
  const { trackApp, client, rules } = system;
  await trackApp({ account_id: 'bob', listing: listingOf(2, { genre_key: '6014', price: 0 }) as never });
  await client.createAlertRule({ ...rule, account_id: 'bob', kind: 'CHART_LEFT' });
  await until(() => wishes(system).length === 3);
  expect(wishes(system).map(({ category }) => category)).toEqual(['6007', '6007', '6014']);
  const stored = { account_id: 'ann', id: rules[0]?.id ?? 0, keywords: null, app: null, channels: null };
  const change = (fields: object) => client.updateAlertRule({ ...stored, ...fields });
  await change({});
  await change({ threshold: 20 });
  await change({ is_enabled: true });
  await change({ is_enabled: false });
  await change({ app: { app_id: 1 } });
  await client.createAlertRule({ ...rule, kind: 'CHART_LEFT', is_enabled: false });
  await change({ is_enabled: true });
  await until(() => wishes(system).length > 3);
  await change({ app: {} });
  await until(() => wishes(system).length > 4);
  expect(
    wishes(system)
      .slice(3)
      .map(({ category }) => category),
  ).toEqual(['6007', '6007']);
});

test('a bus that is away delays the wish', async () => {
  const notify = await startNotify();
  const { trackApp } = publisher(notify);
  const { client, bus, clock } = notify;
  await trackApp({ listing: listingOf(1, inChart) as never });
  await untilIdle(clock);
  const idle = clock.sleeping();
  bus.fail = true;
  await client.createAlertRule({ ...rule, kind: 'CHART_LEFT' });
  await until(() => clock.sleeping() === idle + 1);
  expect(wishes(notify)).toEqual([]);
  bus.fail = false;
  clock.advance(15_000);
  await until(() => wishes(notify).length === 1);
});
