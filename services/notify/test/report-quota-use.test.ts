import { codeOf } from '../../../testing/call-within.ts';
import { allAlerts, createHarness } from './start-notify.ts';

const { startNotify } = createHarness();

async function start() {
  const { client } = await startNotify();
  const create = (threshold?: number) =>
    client.createAlertRule({
      account_id: 'ann',
      kind: 'QUOTA_USED',
      threshold,
      keywords: null,
      is_enabled: true,
      channel_ids: [],
    });
  const report = (percent: number, percentBefore: number, day = '2026-03-10') =>
    client.reportQuotaUse({ account_id: 'ann', percent, percent_before: percentBefore, day });
  const feed = async () =>
    (await client.listAlerts({ ...allAlerts, since: 0 })).alerts.map(
      ({ evidence, after }) => `${evidence?.threshold} at ${after}, ${evidence?.day_after}`,
    );
  return { client, create, report, feed };
}

test('a rule gives one alert a month, when its threshold is reached', async () => {
  const { create, report, feed } = await start();
  await create();
  await create(95);
  await report(75, 0);
  expect(await feed()).toEqual([]);
  await report(85, 75);
  await report(85, 75, '2026-03-11');
  await report(90, 85);
  expect(await feed()).toEqual(['80 at 85, 2026-03-10']);
  await report(100, 90, '2026-03-30');
  await report(80, 0, '2026-04-20');
  expect(await feed()).toEqual(['80 at 85, 2026-03-10', '95 at 100, 2026-03-30', '80 at 80, 2026-04-20']);
});

test('it is about no application and no keyword', async () => {
  const { client, create, report } = await start();
  await create();
  await report(80, 75);
  const { alerts } = await client.listAlerts(allAlerts);
  expect(alerts).toMatchObject([
    { kind: 'QUOTA_USED', app: null, before: null, text: '80 % of the API requests of 2026-03 are used.' },
  ]);
});

test('another threshold than a multiple of 5, an application, and a wrong report are refused', async () => {
  const { client, create, report } = await start();
  expect(await codeOf(create(82))).toBe('INVALID_PARAMS');
  const ofApp = {
    account_id: 'ann',
    kind: 'QUOTA_USED',
    app_id: 1,
    keywords: null,
    is_enabled: true,
    channel_ids: [],
  } as const;
  expect(await codeOf(client.createAlertRule({ ...ofApp, channel_ids: [] }))).toBe('INVALID_PARAMS');
  expect(await codeOf(report(101, 0))).toBe('INVALID_PARAMS');
  expect(await codeOf(report(80, 85))).toBe('INVALID_PARAMS');
  expect(await codeOf(report(80, 0, '2026-13-01'))).toBe('INVALID_PARAMS');
});
