import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import { allAlerts, createHarness, listingOf, type Notify, publisher } from './start-notify.ts';

const { startNotify } = createHarness();

async function feed({ client }: Notify, accountId = 'ann') {
  const { alerts } = await client.listAlerts({ ...allAlerts, account_id: accountId, since: 0 });
  return alerts;
}

test('an outage and its end are one alert each, for each account with an application in that store', async () => {
  const notify = await startNotify();
  const { trackApp, trackKeyword, changeStore } = publisher(notify);
  const inPlay = { ...listingOf(3), storefront: { store: 'GPLAY', country: 'US', lang: 'en-US' } };
  for (const id of [1, 2]) await trackApp({ listing: listingOf(id) as never });
  for (const keywordId of [7, 8, 9]) await trackKeyword({ keyword_id: keywordId });
  await trackApp({ account_id: 'bob', listing: inPlay as never });
  for (const accountId of ['ann', 'bob'])
    await notify.client.createAlertRule({
      account_id: accountId,
      kind: 'STORE_RECOVERED',
      keywords: null,
      is_enabled: true,
      channel_ids: [],
    });

  const blocked = await changeStore(true, 8);
  await changeStore(false, 10);
  await notify.bus.redeliver(blocked);
  expect(await feed(notify)).toMatchObject([
    {
      kind: 'STORE_BLOCKED',
      app: null,
      keyword: null,
      before: null,
      after: null,
      evidence: { day_before: '2026-03-08', day_after: '2026-03-08', store: 'ITUNES', ranks: [], fields: [] },
    },
    {
      kind: 'STORE_RECOVERED',
      evidence: { day_before: '2026-03-08', day_after: '2026-03-10', store: 'ITUNES' },
      text: 'The App Store can be read again: it was away from 2026-03-08 to 2026-03-10.',
    },
  ]);
  expect(await feed(notify, 'bob')).toEqual([]);
});

test('an account that no longer tracks an application there is not notified', async () => {
  const notify = await startNotify();
  const { trackApp, changeStore } = publisher(notify);
  await trackApp();
  await notify.bus.deliver('tracking.application-untracked.v1', '1', {
    account_id: 'ann',
    id: 1,
    at: new Date('2026-03-02T08:00:00Z'),
  });
  await changeStore(true, 8);
  expect(await feed(notify)).toEqual([]);
});

test('more accounts than one query finds are notified once each', async () => {
  const notify = await startNotify();
  const { trackApp, changeStore } = publisher(notify);
  const accounts = Array.from({ length: 260 }, (_, index) => `account-${index}`);
  await mapLimited(accounts, 20, async (accountId) => {
    for (const id of [1, 2]) await trackApp({ account_id: accountId, listing: listingOf(id) as never });
  });
  await changeStore(true, 8);
  const counts = await Promise.all(accounts.map(async (one) => (await feed(notify, one)).length));
  expect(counts).toEqual(accounts.map(() => 1));
});
