import { AppError } from '@shelfwise/runtime/errors';
import { slotOf } from '@shelfwise/runtime/jobs/daily-slot';
import { callWithin, codeOf } from '../../../testing/call-within.ts';
import { recordCommands } from '../../../testing/record-commands.ts';
import { messagesOf } from '../../../testing/recording-bus.ts';
import { failedListing, fakeListing, neverAnswer, storeFailed } from './fake-store-fetch.ts';
import { createHarness, us } from './start-tracking.ts';

const { startTracking } = createHarness();
const request = { account_id: 'ann', storefront: us, app_id: '1001' };

test('an application gets an internal id, and its event carries it', async () => {
  const tracking = await startTracking();
  const reply = await tracking.client.trackApplication(request);
  expect(reply).toEqual({ id: 1, app_id: '1001', title: 'Title of 1001' });
  await tracking.stop();
  expect(messagesOf(tracking.bus.published, 'tracking.application-tracked.v1')).toMatchObject([
    {
      account_id: 'ann',
      at: tracking.clock.at,
      listing: { id: 1, storefront: us, listing: { app_id: '1001' } },
    },
  ]);
  expect(tracking.bus.published).toMatchObject([{ key: '1', requestId: 'request-1' }]);
});

test('a second call is DUPLICATE with the id, without reading the store again', async () => {
  const { client, store, bus } = await startTracking();
  const { id } = await client.trackApplication(request);
  await expect(client.trackApplication(request)).rejects.toMatchObject({
    code: 'DUPLICATE',
    details: { id },
  });
  expect(store.lookups).toEqual(['1001']);
  expect(bus.published.length).toBeLessThanOrEqual(1);
});

test('an application that was removed is tracked again in six commands', async () => {
  const { client, connection } = await startTracking({ hasBus: false });
  const { id } = await client.trackApplication(request);
  await client.untrackApplication({ account_id: 'ann', id });
  const commands = recordCommands(connection);
  expect((await client.trackApplication(request)).id).toBe(id);
  const looked = ['find listings', 'find tracked_apps'];
  const recorded = ['find listings', 'update listings'];
  expect(commands).toEqual([...looked, ...recorded, 'find tracked_apps', 'update tracked_apps']);
});

test('a bundle id and its numeric id are one application', async () => {
  const { client, rows } = await startTracking();
  const first = await client.trackApplication({ ...request, app_id: 'bundle.1001' });
  expect(first.app_id).toBe('1001');
  for (const appId of ['1001', 'bundle.1001'])
    expect(await codeOf(client.trackApplication({ ...request, app_id: appId }))).toBe('DUPLICATE');
  expect(await rows('listings')).toHaveLength(1);
});

test('an app in three storefronts is three applications; a listing has the same id for every account', async () => {
  const { client } = await startTracking();
  const ids: number[] = [];
  for (const storefront of [us, { ...us, country: 'DE', lang: 'de-DE' }, { ...us, store: 'GPLAY' as const }])
    ids.push((await client.trackApplication({ ...request, storefront })).id);
  expect(new Set(ids).size).toBe(3);
  const other = await client.trackApplication({ ...request, account_id: 'bob' });
  expect(other.id).toBe(ids[0]);
});

test('accounts that track an application at the same time get the same id', async () => {
  const { client, rows } = await startTracking();
  const calls = Array.from({ length: 20 }, (_, index) =>
    client.trackApplication({ ...request, account_id: `account ${index}` }),
  );
  expect(new Set((await Promise.all(calls)).map(({ id }) => id)).size).toBe(1);
  expect(await rows('listings')).toHaveLength(1);
  expect(await rows('tracked_apps')).toHaveLength(20);
});

test('an application that is tracked again after its removal gets the same id', async () => {
  const { client, clock, rows } = await startTracking();
  const { id } = await client.trackApplication(request);
  await client.untrackApplication({ account_id: 'ann', id });
  clock.at = new Date('2026-03-12T09:00:00Z');
  expect((await client.trackApplication(request)).id).toBe(id);
  expect(await rows('tracked_apps')).toMatchObject([
    { active: true, tracked_since: clock.at, removed_at: null },
  ]);
});

test('a listing is read with its subtitle, which the store may show on another page', async () => {
  const { client, store, rows } = await startTracking();
  const getListing = jest.fn(store.answers.getListing);
  store.answers.getListing = getListing;
  await client.trackApplication(request);
  expect(getListing).toHaveBeenCalledWith(
    { storefront: us, app_id: '1001', with_subtitle: true, for_daily_run: false },
    expect.anything(),
  );
  expect(await rows('listings')).toMatchObject([{ subtitle: 'Subtitle of 1001' }]);
});

test('a tracked listing is read again the next day', async () => {
  const { client, rows, clock } = await startTracking();
  const { id } = await client.trackApplication(request);
  const dueAt = slotOf(id, '2026-03-11');
  expect(await rows('listings')).toMatchObject([
    { last_tracked_at: clock.at, planned_at: dueAt, due_at: dueAt, failures: 0 },
  ]);
});

test('a change that another account’s reading finds makes a version and an event', async () => {
  const { client, store, rows, stop, bus } = await startTracking();
  const { id } = await client.trackApplication(request);
  store.answers.getListing = async () => ({
    reading: store.reading(),
    listing: { ...fakeListing('1001'), version: '2.0' },
  });
  await client.trackApplication({ ...request, account_id: 'bob' });
  expect(await rows('listing_versions')).toHaveLength(2);
  await stop();
  expect(messagesOf(bus.published, 'tracking.listing-changed.v1')).toMatchObject([
    { listing: { id, revision: 2 }, changed: ['version'] },
  ]);
});

test('a call of an account at its cap does not read the store', async () => {
  const { client, store } = await startTracking();
  await client.trackApplication({ ...request, max_apps: 1 });
  await expect(client.trackApplication({ ...request, app_id: '2002', max_apps: 1 })).rejects.toMatchObject({
    code: 'PLAN_LIMIT',
    message: 'Your plan allows 1 tracked application. Remove one first.',
  });
  expect(store.lookups).toEqual(['1001']);
});

test.each([
  ['a store that fails', async () => Promise.reject(storeFailed()), 'STORE_FETCH_FAILED'],
  ['an answer without a listing', async () => ({ reading: null, listing: null }), 'STORE_FETCH_FAILED'],
])('%s: nothing is saved', async (_name, getListing, code) => {
  const { client, store, rows } = await startTracking();
  store.answers.getListing = getListing;
  await expect(client.trackApplication(request)).rejects.toMatchObject({ code });
  for (const collection of ['listings', 'tracked_apps', 'counters'])
    expect(await rows(collection)).toEqual([]);
});

test('when the store never answers, the call ends at its deadline and nothing is saved', async () => {
  const { client, store, rows } = await startTracking();
  store.answers.getListing = neverAnswer;
  expect(await codeOf(client.trackApplication(request, callWithin(200)))).toBe('SERVICE_UNAVAILABLE');
  expect(await rows('tracked_apps')).toEqual([]);
});

test('an app that the store does not have is APP_NOT_FOUND', async () => {
  const { client, store } = await startTracking();
  store.answers.getListing = async () =>
    Promise.reject(Object.assign(storeFailed(), { code: 'APP_NOT_FOUND' }));
  expect(await codeOf(client.trackApplication(request))).toBe('APP_NOT_FOUND');
});

test('an application that cannot be saved is CREATE_APP_FAILED, and the call can be repeated', async () => {
  const { client, connection, rows } = await startTracking();
  const create = jest
    .spyOn(connection.model('TrackedApp'), 'create')
    .mockRejectedValueOnce(new Error('disk'));
  expect(await codeOf(client.trackApplication(request))).toBe('CREATE_APP_FAILED');
  create.mockRestore();
  expect(await rows('tracked_apps')).toEqual([]);
  expect(await client.trackApplication(request)).toMatchObject({ id: 1 });
});

test('tags of one language are one application, another tag is another one', async () => {
  const { client, store, rows } = await startTracking();
  const storefront = (lang: string) => ({ store: 'GPLAY' as const, country: 'US', lang });
  const sent = { ...request, app_id: 'com.example' };
  const { id } = await client.trackApplication({ ...sent, storefront: storefront('en') });
  store.lookups.length = 0;
  for (const lang of ['en-US', 'en', 'en-Latn'])
    await expect(client.trackApplication({ ...sent, storefront: storefront(lang) })).rejects.toMatchObject({
      code: 'DUPLICATE',
      details: { id },
    });
  expect(store.lookups).toEqual([]);
  expect(await rows('listings')).toMatchObject([{ _id: id, lang: 'en-US' }]);
  const british = await client.trackApplication({ ...sent, storefront: storefront('en-GB') });
  expect(british.id).not.toBe(id);
});

describe('an app that the store no longer shows', () => {
  const dayMs = 86_400_000;
  type Tracking = Awaited<ReturnType<typeof startTracking>>;

  /** Ann tracked the app, which the store then drops; other apps are shown unless `isStoreEmpty`. */
  async function startGone({ isStoreEmpty = false } = {}): Promise<Tracking> {
    const tracking = await startTracking();
    await tracking.client.trackApplication(request);
    await tracking.client.trackApplication({ ...request, app_id: '1002' });
    const notFound = new AppError('APP_NOT_FOUND', 'The App Store has no app 1001 in US.');
    const { getListing, getListings } = tracking.store.answers;
    tracking.store.answers.getListing = async (sent, call) => {
      if (sent.app_id !== '1002') throw notFound;
      return getListing(sent, call);
    };
    tracking.store.answers.getListings = async (sent, call) => {
      const { results } = await getListings(sent, call);
      const isGone = (appId: string) => isStoreEmpty || appId === '1001';
      return {
        results: results.map((one) =>
          isGone(one.app_id) ? failedListing(one.app_id, 'APP_NOT_FOUND') : one,
        ),
      };
    };
    return tracking;
  }

  const trackAsBob = ({ client }: Tracking, appId = '1001') =>
    client.trackApplication({ ...request, account_id: 'bob', app_id: appId });

  test('is STORE_FETCH_FAILED until look-ups on two days were empty, then APP_NOT_FOUND', async () => {
    const tracking = await startGone();
    for (const code of ['STORE_FETCH_FAILED', 'STORE_FETCH_FAILED'])
      await expect(trackAsBob(tracking)).rejects.toMatchObject({ code });
    tracking.clock.at = new Date(tracking.clock.at.getTime() + dayMs);
    expect(await codeOf(trackAsBob(tracking))).toBe('APP_NOT_FOUND');
    const { applications } = await tracking.client.listApplications({ account_id: 'ann', app_id: 1 });
    expect(applications[0]?.listing).toMatchObject({
      unlisted_since: new Date(tracking.clock.at.getTime() - dayMs),
      listing: { title: 'Title of 1001' },
    });
  });

  test('stays STORE_FETCH_FAILED while the store does not answer for a known app either', async () => {
    const tracking = await startGone({ isStoreEmpty: true });
    for (let day = 0; day < 3; day += 1) {
      expect(await codeOf(trackAsBob(tracking))).toBe('STORE_FETCH_FAILED');
      tracking.clock.at = new Date(tracking.clock.at.getTime() + dayMs);
    }
  });

  test('is the same by its bundle id: look-ups by either spelling are those of one app', async () => {
    const tracking = await startGone();
    const byBundle = () => trackAsBob(tracking, 'bundle.1001');
    expect(await codeOf(byBundle())).toBe('STORE_FETCH_FAILED');
    tracking.clock.at = new Date(tracking.clock.at.getTime() + dayMs);
    expect(await codeOf(trackAsBob(tracking))).toBe('APP_NOT_FOUND');
    expect(await codeOf(byBundle())).toBe('APP_NOT_FOUND');
    expect(await tracking.rows('listings')).toMatchObject([
      { app_id: '1001', unlisted_since: new Date(tracking.clock.at.getTime() - dayMs) },
      { app_id: '1002', unlisted_since: null },
    ]);
  });

  test('is DUPLICATE by either spelling for the account that tracks it', async () => {
    const tracking = await startGone();
    for (const appId of ['1001', 'bundle.1001'])
      await expect(tracking.client.trackApplication({ ...request, app_id: appId })).rejects.toMatchObject({
        code: 'DUPLICATE',
        details: { id: 1 },
      });
  });

  test.each(['7', 'bundle.7'])('is APP_NOT_FOUND at once when it was never listed (%s)', async (appId) => {
    const tracking = await startGone();
    expect(await codeOf(trackAsBob(tracking, appId))).toBe('APP_NOT_FOUND');
  });

  test('is APP_NOT_FOUND at once when it was listed only in another country', async () => {
    const tracking = await startGone();
    await tracking.connection.collection('listings').updateMany({}, { $set: { country: 'DE' } });
    for (const appId of ['1001', 'bundle.1001'])
      expect(await codeOf(trackAsBob(tracking, appId))).toBe('APP_NOT_FOUND');
  });

  test('is DUPLICATE by either spelling where it is a competitor', async () => {
    const tracking = await startTracking();
    for (const appId of ['1002', '1003']) await trackAsBob(tracking, appId);
    const add = (appId: string) =>
      tracking.client.trackCompetitor({
        account_id: 'bob',
        app_id: 1,
        competitor_app_id: appId,
        storefront: us,
      });
    const { id } = await add('1003');
    tracking.store.answers.getListing = async () => {
      throw new AppError('APP_NOT_FOUND', 'gone');
    };
    for (const appId of ['1003', 'bundle.1003'])
      await expect(add(appId)).rejects.toMatchObject({ code: 'DUPLICATE', details: { id } });
  });

  test.each(['1001', 'bundle.1001'])(
    'is the same as a competitor (%s), with COMPETITOR_NOT_FOUND',
    async (appId) => {
      const tracking = await startGone();
      const add = () =>
        tracking.client.trackCompetitor({
          account_id: 'ann',
          app_id: 2,
          competitor_app_id: appId,
          storefront: us,
        });
      expect(await codeOf(add())).toBe('STORE_FETCH_FAILED');
      tracking.clock.at = new Date(tracking.clock.at.getTime() + dayMs);
      expect(await codeOf(add())).toBe('COMPETITOR_NOT_FOUND');
    },
  );
});
