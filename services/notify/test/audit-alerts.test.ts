import { allAlerts, createHarness, publisher } from './start-notify.ts';

const { startNotify } = createHarness();

/** ann tracks application 1 and wants to know when its ASO Health falls. */
async function start() {
  const notify = await startNotify();
  const publish = publisher(notify);
  await publish.trackApp();
  const fresh = { account_id: 'ann', kind: 'AUDIT_DROP', keywords: null, is_enabled: true } as const;
  await notify.client.createAlertRule({ ...fresh, channel_ids: [] });
  const feed = async () => (await notify.client.listAlerts({ ...allAlerts, since: 0 })).alerts;
  return { ...publish, bus: notify.bus, feed };
}

test('an ASO Health that falls by five points gives an alert with both days', async () => {
  const { audit, bus, feed } = await start();
  await audit(8, 80);
  const event = await audit(9, 75);
  await bus.redeliver(event);
  expect(await feed()).toMatchObject([
    {
      kind: 'AUDIT_DROP',
      before: 80,
      after: 75,
      keyword: null,
      evidence: { day_before: '2026-03-08', day_after: '2026-03-09', threshold: 5, ranks: [] },
      text: 'The ASO Health of App 1 fell from 80 to 75 between 2026-03-08 and 2026-03-09.',
    },
  ]);
});

test('pending and partial audits are compared with nothing; the next one with the last complete one', async () => {
  const { audit, feed } = await start();
  await audit(6, 80);
  await audit(7, 40, { pending_at: new Date('2026-03-07T06:00:00Z') });
  await audit(8, 40, { is_partial: true });
  expect(await feed()).toEqual([]);
  await audit(9, 79);
  expect(await feed()).toEqual([]);
  await audit(10, 74);
  expect(await feed()).toMatchObject([
    { before: 79, after: 74, evidence: { day_before: '2026-03-09', day_after: '2026-03-10' } },
  ]);
});

test('another scoring version, an older audit and one before the account tracked the app give no alert', async () => {
  const { audit, feed, trackApp } = await start();
  await audit(6, 80);
  await audit(7, 60, { scoring_version: 5 });
  await audit(6, 20, { scoring_version: 5 });
  expect(await feed()).toEqual([]);
  await trackApp({ at: new Date('2026-03-08T08:00:00Z') });
  await audit(8, 50, { scoring_version: 5 });
  expect(await feed()).toEqual([]);
  await audit(9, 40, { scoring_version: 5 });
  expect(await feed()).toMatchObject([{ before: 50, after: 40 }]);
});
