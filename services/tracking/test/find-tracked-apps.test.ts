import { createHarness, trackApp, trackCompetitor, us } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

test('of several apps, those that the account tracks in the storefront are found', async () => {
  const tracking = await startTracking();
  const { client } = tracking;
  const appId = await trackApp(tracking, 'ann', '1001');
  await trackApp(tracking, 'ann', '2002');
  await trackApp(tracking, 'bob', '3003');
  await trackCompetitor(tracking, 'ann', appId, '4004');
  const find = async (change: object = {}) => {
    const appIds = ['4004', '3003', '2002', '1001', 'unknown'];
    return (
      await client.findTrackedApps({ account_id: 'ann', storefront: us, app_ids: appIds, ...change })
    ).app_ids.sort();
  };
  expect(await find()).toEqual(['1001', '2002']);
  expect(await find({ account_id: 'bob' })).toEqual(['3003']);
  expect(await find({ storefront: { ...us, country: 'GB' } })).toEqual([]);
  expect(await find({ app_ids: [] })).toEqual([]);
  await client.untrackApplication({ account_id: 'ann', id: appId });
  expect(await find()).toEqual(['2002']);
});
