import { AppError } from '@shelfwise/runtime/errors';
import { slotOf } from '@shelfwise/runtime/jobs/daily-slot';
import { callWithin, codeOf, countCodes } from '../../../testing/call-within.ts';
import { messagesOf } from '../../../testing/recording-bus.ts';
import { fakeListing, neverAnswer, storeFailed } from './fake-store-fetch.ts';
import { createHarness, type Tracking, trackApp, trackCompetitor, us } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

/**
 * Tracks the app 1001 for the account `ann`. `request` adds the app 2002 as its competitor; `store.lookups` contains
 * only the readings after that.
 */
async function startWithApp(options: { hasBus?: boolean } = {}) {
  const tracking = await startTracking(options);
  const appId = await trackApp(tracking, 'ann');
  tracking.store.lookups.length = 0;
  const request = { account_id: 'ann', app_id: appId, competitor_app_id: '2002', storefront: us };
  return { ...tracking, tracking, appId, request };
}

const activeRelations = async ({ rows }: Pick<Tracking, 'rows'>) =>
  (await rows('competitors')).filter(({ active }) => active);

test('a competitor gets a relation id, and an internal id like every app', async () => {
  const { client, request, appId } = await startWithApp();
  const reply = await client.trackCompetitor(request);
  expect(reply).toEqual({
    id: 1,
    competitor_id: expect.any(Number),
    competitor_app_id: '2002',
    title: 'Title of 2002',
  });
  expect(reply.competitor_id).not.toBe(appId);
});

test('an app has one listing, whether it is tracked as an application or as a competitor', async () => {
  const { client, tracking, request, rows } = await startWithApp();
  const { competitor_id: competitorId } = await client.trackCompetitor(request);
  expect(await trackApp(tracking, 'bob', '2002')).toBe(competitorId);
  const other = { account_id: 'bob', app_id: competitorId, competitor_app_id: '1001', storefront: us };
  expect(await client.trackCompetitor(other)).toMatchObject({ competitor_id: request.app_id });
  expect(await rows('listings')).toHaveLength(2);
});

test('a competitor’s listing is stored with its first version, and its next reading is planned for the next day', async () => {
  const { client, request, rows, clock, store } = await startWithApp();
  const getListing = jest.fn(store.answers.getListing);
  store.answers.getListing = getListing;
  const { competitor_id: _id } = await client.trackCompetitor(request);
  expect(getListing).toHaveBeenCalledWith(
    { storefront: us, app_id: '2002', with_subtitle: true, for_daily_run: false },
    expect.anything(),
  );
  const dueAt = slotOf(_id, '2026-03-11');
  expect((await rows('listings'))[1]).toMatchObject({
    _id,
    app_id: '2002',
    title: 'Title of 2002',
    last_tracked_at: clock.at,
    planned_at: dueAt,
    due_at: dueAt,
  });
  expect((await rows('listing_versions'))[1]).toMatchObject({ listing_id: _id, revision: 1 });
});

test('a competitor is not listed as an application of the account, and adding it publishes one event of its own', async () => {
  const { client, request, tracking, appId } = await startWithApp({ hasBus: true });
  await client.trackCompetitor(request);
  const { applications } = await client.listApplications({ account_id: 'ann' });
  expect(applications.map(({ listing }) => listing?.id)).toEqual([appId]);
  await tracking.stop();
  expect(messagesOf(tracking.bus.published, 'tracking.application-tracked.v1')).toHaveLength(1);
  expect(messagesOf(tracking.bus.published, 'tracking.competitor-tracked.v1')).toHaveLength(1);
  expect(tracking.bus.published).toHaveLength(2);
});

test('adding the same competitor again is DUPLICATE with the id of the relation, and the store is not read again', async () => {
  const { client, request, store } = await startWithApp();
  const { id } = await client.trackCompetitor(request);
  await expect(client.trackCompetitor(request)).rejects.toMatchObject({
    code: 'DUPLICATE',
    details: { id },
  });
  expect(store.lookups).toEqual(['2002']);
});

test('a bundle id and its numeric id are one competitor', async () => {
  const { client, request, rows } = await startWithApp();
  const asBundle = { ...request, competitor_app_id: 'bundle.2002' };
  expect(await client.trackCompetitor(asBundle)).toMatchObject({ competitor_app_id: '2002' });
  for (const competitorAppId of ['2002', 'bundle.2002'])
    expect(await codeOf(client.trackCompetitor({ ...request, competitor_app_id: competitorAppId }))).toBe(
      'DUPLICATE',
    );
  expect(await rows('competitors')).toHaveLength(1);
});

test('an app can be the competitor of several applications and of several accounts', async () => {
  const { client, tracking, request } = await startWithApp();
  const second = await trackApp(tracking, 'ann', '1002');
  const bobs = await trackApp(tracking, 'bob');
  const replies = [];
  for (const more of [{}, { app_id: second }, { account_id: 'bob', app_id: bobs }])
    replies.push(await client.trackCompetitor({ ...request, ...more }));
  expect(new Set(replies.map(({ id }) => id)).size).toBe(3);
  expect(new Set(replies.map((reply) => reply.competitor_id)).size).toBe(1);
});

test('of twenty concurrent calls to two copies one adds a competitor, also again, with its old relation id', async () => {
  const { client, tracking, request, rows } = await startWithApp();
  const copy = await startTracking({ database: tracking.database });
  const addAtOnce = () =>
    countCodes(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? client : copy.client).trackCompetitor(request)),
    );
  expect(await addAtOnce()).toEqual({ OK: 1, DUPLICATE: 19 });
  const [added] = await rows('competitors');
  const id = Number(added?._id);
  await client.untrackCompetitor({ account_id: 'ann', id });
  expect(await addAtOnce()).toEqual({ OK: 1, DUPLICATE: 19 });
  expect(await rows('competitors')).toMatchObject([{ _id: id, active: true }]);
});

test('a competitor that is added again after its removal gets the same relation id', async () => {
  const { client, clock, request, rows } = await startWithApp();
  const first = await client.trackCompetitor(request);
  await client.untrackCompetitor({ account_id: 'ann', id: first.id });
  clock.at = new Date('2026-03-12T09:00:00Z');
  expect(await client.trackCompetitor(request)).toEqual(first);
  expect(await rows('competitors')).toMatchObject([
    { _id: first.id, active: true, tracked_since: clock.at, removed_at: null },
  ]);
});

test('an application cannot be its own competitor, neither by its numeric nor by its bundle id; the store is not read', async () => {
  const { client, request, store, rows } = await startWithApp();
  for (const competitorAppId of ['1001', 'bundle.1001'])
    expect(await codeOf(client.trackCompetitor({ ...request, competitor_app_id: competitorAppId }))).toBe(
      'SELF_COMPETITOR',
    );
  expect(store.lookups).toEqual([]);
  expect(await rows('competitors')).toEqual([]);
});

test('an application cannot be its own competitor under another id for which the store returns the same app', async () => {
  const { client, request, store } = await startWithApp();
  store.answers.getListing = async () => ({ reading: store.reading(), listing: fakeListing('1001') });
  const bundleRequest = { ...request, competitor_app_id: 'an.older.bundle' };
  expect(await codeOf(client.trackCompetitor(bundleRequest))).toBe('SELF_COMPETITOR');
});

test('an app that the store does not have is COMPETITOR_NOT_FOUND', async () => {
  const { client, request, store, rows } = await startWithApp();
  store.answers.getListing = async () => Promise.reject(new AppError('APP_NOT_FOUND', 'No such app.'));
  await expect(client.trackCompetitor(request)).rejects.toMatchObject({
    code: 'COMPETITOR_NOT_FOUND',
    message: 'No such app.',
  });
  expect(await rows('listings')).toHaveLength(1);
});

test.each([
  ['a store that fails', async () => Promise.reject(storeFailed())],
  ['an answer without a listing', async () => ({ reading: null, listing: null })],
])('%s is STORE_FETCH_FAILED, and nothing is saved', async (_name, getListing) => {
  const { client, request, store, rows } = await startWithApp();
  store.answers.getListing = getListing;
  expect(await codeOf(client.trackCompetitor(request))).toBe('STORE_FETCH_FAILED');
  expect(await rows('competitors')).toEqual([]);
  expect(await rows('listings')).toHaveLength(1);
});

test('a database of sample readings refuses a reading of a live store, and nothing is saved', async () => {
  const { client, request, store, rows } = await startWithApp();
  store.origin.source = 'app-store';
  expect(await codeOf(client.trackCompetitor(request))).toBe('STORE_FETCH_FAILED');
  expect(await rows('listings')).toHaveLength(1);
});

test('when the store never answers, the call is SERVICE_UNAVAILABLE at its deadline, and nothing is saved', async () => {
  const { client, request, store, rows } = await startWithApp();
  store.answers.getListing = neverAnswer;
  expect(await codeOf(client.trackCompetitor(request, callWithin(200)))).toBe('SERVICE_UNAVAILABLE');
  expect(await rows('competitors')).toEqual([]);
});

test('when the competitor could not be saved, a repeated call adds it', async () => {
  const { client, connection, request, rows } = await startWithApp();
  const create = jest
    .spyOn(connection.model('Competitor'), 'create')
    .mockRejectedValueOnce(new Error('disk'));
  expect(await codeOf(client.trackCompetitor(request))).toBe('INTERNAL_ERROR');
  create.mockRestore();
  expect(await rows('competitors')).toEqual([]);
  await client.trackCompetitor(request);
  expect(await rows('competitors')).toHaveLength(1);
  expect(await rows('listings')).toHaveLength(2);
});

test('a call of an account at its cap does not read the store; removing a competitor makes room', async () => {
  const { client, tracking, request, store } = await startWithApp();
  const { id } = await trackCompetitor(tracking, 'ann', request.app_id, '3003');
  const capped = { ...request, max_competitors: 1 };
  await expect(client.trackCompetitor(capped)).rejects.toMatchObject({
    code: 'PLAN_LIMIT',
    message: 'Your plan allows 1 competitor. Remove one first.',
  });
  expect(store.lookups).toEqual(['3003']);
  await client.untrackCompetitor({ account_id: 'ann', id });
  await client.trackCompetitor(capped);
  expect(await activeRelations(tracking)).toHaveLength(1);
});

test('an application that the account does not track, or no longer tracks, is APP_NOT_FOUND; the store is not read', async () => {
  const { client, request, store } = await startWithApp();
  for (const wrong of [{ account_id: 'bob' }, { app_id: 999 }])
    expect(await codeOf(client.trackCompetitor({ ...request, ...wrong }))).toBe('APP_NOT_FOUND');
  await client.untrackApplication({ account_id: 'ann', id: request.app_id });
  expect(await codeOf(client.trackCompetitor(request))).toBe('APP_NOT_FOUND');
  expect(store.lookups).toEqual([]);
});

test('an application that is removed while the store is read gets no competitor', async () => {
  const { client, request, store, rows } = await startWithApp();
  const { getListing } = store.answers;
  store.answers.getListing = async (lookup, call) => {
    await client.untrackApplication({ account_id: 'ann', id: request.app_id });
    return getListing(lookup, call);
  };
  expect(await codeOf(client.trackCompetitor(request))).toBe('APP_NOT_FOUND');
  expect(await rows('competitors')).toEqual([]);
});

test('an application that another copy removes while a competitor is being saved gets no competitor', async () => {
  const { client, tracking, request, connection } = await startWithApp();
  const copy = await startTracking({ database: tracking.database });
  const model = connection.model('Competitor');
  const create = model.create.bind(model) as (row: unknown) => Promise<unknown>;
  // The other copy completes the removal before this copy writes the relation.
  jest.spyOn(model, 'create').mockImplementationOnce((async (row: unknown) => {
    await copy.client.untrackApplication({ account_id: 'ann', id: request.app_id });
    return create(row);
  }) as typeof model.create);
  expect(await codeOf(client.trackCompetitor(request))).toBe('APP_NOT_FOUND');
  expect(await activeRelations(tracking)).toEqual([]);
});

test('concurrent calls to two copies of the service never leave a competitor on a removed application', async () => {
  const { tracking, request } = await startWithApp();
  const copy = await startTracking({ database: tracking.database });
  for (let round = 0; round < 8; round++) {
    // One competitor is new; the other was removed three rounds ago and is added again.
    const calls = [`round ${round}`, `again ${round % 3}`].map((competitorAppId) =>
      tracking.client.trackCompetitor({ ...request, competitor_app_id: competitorAppId }),
    );
    const removal = copy.client.untrackApplication({ account_id: 'ann', id: request.app_id });
    await Promise.allSettled([...calls, removal]);
    expect(await activeRelations(tracking)).toEqual([]);
    await trackApp(copy, 'ann');
  }
});

test('a storefront other than the application’s is refused, naming each wrong field', async () => {
  const { client, request, store } = await startWithApp();
  const storefront = { store: 'GPLAY', country: 'DE', lang: 'de-DE' } as const;
  await expect(client.trackCompetitor({ ...request, storefront })).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    details: {
      issues: {
        fieldErrors: {
          store: ["must be the app's own: ITUNES"],
          country: ["must be the app's own: US"],
          lang: ["must be the app's own: en-US"],
        },
      },
    },
  });
  expect(store.lookups).toEqual([]);
});

test('countries and languages are accepted in any letter case', async () => {
  const { client, request } = await startWithApp();
  const storefront = { ...us, country: 'us', lang: 'EN-us' };
  expect(await client.trackCompetitor({ ...request, storefront })).toMatchObject({ id: 1 });
});
