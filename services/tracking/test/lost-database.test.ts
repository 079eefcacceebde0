import { mongo } from 'mongoose';
import { codeOf } from '../../../testing/call-within.ts';
import { createHarness, listAll, type Tracking, trackApp, trackKeywords, us } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

const app = { account_id: 'ann', app_id: 1 };
const keyword = { ...app, keyword_id: 1 };

/** In this order, each is answered while the database is there. */
const calls: ((client: Tracking['client']) => Promise<unknown>)[] = [
  (client) => client.listApplications({ account_id: 'ann' }),
  (client) => client.trackApplication({ account_id: 'ann', storefront: us, app_id: '2002' }),
  (client) => client.listKeywords(listAll),
  (client) => client.trackKeywords({ ...app, storefront: us, keywords: ['video'] }),
  (client) => client.setKeywordFavorite({ ...keyword, is_favorite: true }),
  (client) => client.getRankHistory({ ...keyword, from: '2026-03-01', to: '2026-03-10' }),
  (client) => client.getTotals({ account_id: 'ann' }),
  (client) => client.untrackKeyword(keyword),
  (client) => client.untrackApplication({ account_id: 'ann', id: 1 }),
];

test('with a lost database every call is SERVICE_UNAVAILABLE', async () => {
  const tracking = await startTracking();
  const { client } = tracking;
  await trackKeywords(tracking, 'ann', await trackApp(tracking, 'ann'), ['camera']);
  for (const call of calls) expect([call, await codeOf(call(client))]).toEqual([call, 'OK']);
  await tracking.connection.getClient().close();
  for (const call of calls) expect([call, await codeOf(call(client))]).toEqual([call, 'SERVICE_UNAVAILABLE']);
});

test('a database that is lost while the store is read is SERVICE_UNAVAILABLE', async () => {
  const { client, store, connection } = await startTracking();
  const { getListing } = store.answers;
  store.answers.getListing = async (request, call) => {
    await connection.getClient().close();
    return getListing(request, call);
  };
  expect(await codeOf(client.trackApplication({ account_id: 'ann', storefront: us, app_id: '1001' }))).toBe(
    'SERVICE_UNAVAILABLE',
  );
});

test('a write that the database refuses is CREATE_APP_FAILED', async () => {
  const { client, connection, rows } = await startTracking();
  jest.spyOn(connection.model('TrackedApp'), 'create').mockImplementationOnce(async () => {
    throw new mongo.MongoServerError({ code: 14_031, message: 'no space is left on the disk' });
  });
  expect(await codeOf(client.trackApplication({ account_id: 'ann', storefront: us, app_id: '1001' }))).toBe(
    'CREATE_APP_FAILED',
  );
  expect(await rows('tracked_apps')).toEqual([]);
});
