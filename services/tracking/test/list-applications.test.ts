import { codeOf } from '../../../testing/call-within.ts';
import { fakeListing } from './fake-store-fetch.ts';
import { createHarness, trackApp, trackKeywords, us } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

test('an application shows everything that its store shows', async () => {
  const tracking = await startTracking();
  const id = await trackApp(tracking, 'ann');
  expect(await tracking.client.listApplications({ account_id: 'ann' })).toEqual({
    total: 1,
    applications: [
      {
        listing: {
          id,
          storefront: us,
          revision: 1,
          read_at: tracking.clock.at,
          source: 'sample',
          unlisted_since: null,
          listing: fakeListing('1001'),
        },
        keyword_count: 0,
        aso_health: null,
      },
    ],
  });
});

test('the newest application comes first, each with the number of its active keywords', async () => {
  const tracking = await startTracking();
  const ids = new Map<string, number>();
  for (const [index, appId] of ['1001', '2002', '3003'].entries()) {
    tracking.clock.at = new Date(Date.UTC(2026, 2, 10 + index));
    ids.set(appId, await trackApp(tracking, 'ann', appId));
  }
  const keywords = await trackKeywords(tracking, 'ann', ids.get('2002') ?? 0, ['camera', 'video', 'photo']);
  await trackKeywords(tracking, 'ann', ids.get('1001') ?? 0, ['camera']);
  const removed = { app_id: ids.get('2002') ?? 0, keyword_id: keywords.get('video') ?? 0 };
  await tracking.client.untrackKeyword({ account_id: 'ann', ...removed });
  const { applications } = await tracking.client.listApplications({ account_id: 'ann' });
  expect(applications.map((row) => [row.listing?.listing?.app_id, row.keyword_count])).toEqual([
    ['3003', 0],
    ['2002', 2],
    ['1001', 1],
  ]);
});

test('a list holds the newest thousand applications, and the total counts all', async () => {
  const { client, connection } = await startTracking();
  const ids = Array.from({ length: 1005 }, (_, index) => index + 1);
  const listing = { ...us, ...fakeListing('1'), revision: 1, read_at: new Date(), source: 'sample' };
  await connection
    .collection<{ _id: number }>('listings')
    .insertMany(ids.map((_id) => ({ _id, ...listing, app_id: String(_id) })));
  await connection.collection('tracked_apps').insertMany(
    ids.map((listingId) => ({
      account_id: 'ann',
      listing_id: listingId,
      active: true,
      removed_at: null,
      tracked_since: new Date(listingId * 1000),
    })),
  );
  const { applications, total } = await client.listApplications({ account_id: 'ann' });
  expect(total).toBe(1005);
  expect(applications).toHaveLength(1000);
  expect([applications[0]?.listing?.id, applications[999]?.listing?.id]).toEqual([1005, 6]);
});

test('a single application can be requested; another account’s is not found', async () => {
  const tracking = await startTracking();
  const appId = await trackApp(tracking, 'ann');
  await trackApp(tracking, 'ann', '2002');
  const { client } = tracking;
  expect(await client.listApplications({ account_id: 'ann', app_id: appId })).toMatchObject({
    total: 1,
    applications: [{ listing: { id: appId } }],
  });
  for (const request of [
    { account_id: 'bob', app_id: appId },
    { account_id: 'ann', app_id: 999 },
  ])
    expect(await codeOf(client.listApplications(request))).toBe('APP_NOT_FOUND');
  expect(await client.listApplications({ account_id: 'bob' })).toEqual({
    applications: [],
    total: 0,
  });
});

test('an application whose listing is missing is an error, not left out', async () => {
  const tracking = await startTracking();
  await trackApp(tracking, 'ann');
  await tracking.connection.collection('listings').deleteMany({});
  expect(await codeOf(tracking.client.listApplications({ account_id: 'ann' }))).toBe('INTERNAL_ERROR');
});
