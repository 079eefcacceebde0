import { mongo } from 'mongoose';
import { callWithin } from '../../../testing/call-within.ts';
import { createHarness, type Tracking, trackApp, trackKeywords, us } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

const window = { from: '2026-03-01', to: '2026-03-10' };
const page = { favorites_only: false, page: 1, per_page: 10 };
const key = { account_id: 'ann', app_id: 1, keyword_id: 1 };

const calls: [name: string, call: (client: Tracking['client']) => Promise<unknown>][] = [
  ['listApplications', (client) => client.listApplications({ account_id: 'ann' }, callWithin())],
  [
    'trackApplication',
    (client) => client.trackApplication({ account_id: 'ann', storefront: us, app_id: '2002' }, callWithin()),
  ],
  ['untrackApplication', (client) => client.untrackApplication({ account_id: 'ann', id: 1 }, callWithin())],
  ['listKeywords', (client) => client.listKeywords({ account_id: 'ann', ...page }, callWithin())],
  [
    'trackKeywords',
    (client) => {
      const request = { account_id: 'ann', app_id: 1, storefront: us, keywords: ['video'] };
      return client.trackKeywords(request, callWithin());
    },
  ],
  ['untrackKeyword', (client) => client.untrackKeyword(key, callWithin())],
  ['setKeywordFavorite', (client) => client.setKeywordFavorite({ ...key, is_favorite: true }, callWithin())],
  [
    'getRankHistory',
    (client) => client.getRankHistory({ account_id: 'ann', keyword_id: 1, ...window }, callWithin()),
  ],
  ['getTotals', (client) => client.getTotals({ account_id: 'ann' }, callWithin())],
];

test.each(calls)('a lost database is SERVICE_UNAVAILABLE for %s', async (_name, call) => {
  const tracking = await startTracking();
  await trackKeywords(tracking, 'ann', await trackApp(tracking, 'ann'), ['camera']);
  await call(tracking.client);
  await tracking.connection.getClient().close();
  await expect(call(tracking.client)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('a database that is lost while the store is read is SERVICE_UNAVAILABLE', async () => {
  const { client, store, connection } = await startTracking();
  const { getListing } = store.answers;
  store.answers.getListing = async (request, call) => {
    await connection.getClient().close();
    return getListing(request, call);
  };
  await expect(
    client.trackApplication({ account_id: 'ann', storefront: us, app_id: '1001' }, callWithin()),
  ).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('a write that the database refuses is CREATE_APP_FAILED', async () => {
  const { client, connection, rows } = await startTracking();
  jest.spyOn(connection.model('TrackedApp'), 'create').mockImplementationOnce(async () => {
    throw new mongo.MongoServerError({ code: 14_031, message: 'no space is left on the disk' });
  });
  await expect(
    client.trackApplication({ account_id: 'ann', storefront: us, app_id: '1001' }, callWithin()),
  ).rejects.toMatchObject({ code: 'CREATE_APP_FAILED' });
  expect(await rows('tracked_apps')).toEqual([]);
});
