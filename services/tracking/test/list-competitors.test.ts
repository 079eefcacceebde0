import { codeOf } from '../../../testing/call-within.ts';
import { recordCommands } from '../../../testing/record-commands.ts';
import { fakeListing } from './fake-store-fetch.ts';
import { createHarness, type Tracking, trackApp, trackCompetitor, us } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });
const list = ({ client }: Tracking, request: object = {}) =>
  client.listCompetitors({ account_id: 'ann', ...request });

test('a relation shows the application, and everything that the store shows of the competitor', async () => {
  const tracking = await startTracking();
  const appId = await trackApp(tracking, 'ann');
  const { id, competitor_id: competitorId } = await trackCompetitor(tracking, 'ann', appId, '2002');
  expect(await list(tracking)).toEqual({
    total: 1,
    relations: [
      {
        id,
        app: {
          id: appId,
          app_id: '1001',
          title: 'Title of 1001',
          store: 'ITUNES',
          icon: 'https://icons.test/1001.png',
          read_at: tracking.clock.at,
        },
        competitor: {
          id: competitorId,
          storefront: us,
          revision: 1,
          read_at: tracking.clock.at,
          source: 'sample',
          unlisted_since: null,
          listing: fakeListing('2002'),
        },
      },
    ],
  });
});

test('values that the store does not show are absent, not 0', async () => {
  const tracking = await startTracking();
  const appId = await trackApp(tracking, 'ann');
  const { store } = tracking;
  store.answers.getListing = async (request) => ({
    reading: store.reading(),
    listing: { ...fakeListing(request.app_id), version: null, score: null, ratings: null },
  });
  await trackCompetitor(tracking, 'ann', appId, '2002');
  const [relation] = (await list(tracking)).relations;
  for (const field of ['version', 'score', 'ratings'] as const)
    expect(relation?.competitor?.listing?.[field]).toBeNull();
});

test('the newest competitor comes first; one that was added again counts as new', async () => {
  const tracking = await startTracking();
  const app = await trackApp(tracking, 'ann');
  const add = async (appId: string, day: number) => {
    tracking.clock.at = new Date(Date.UTC(2026, 2, day));
    return (await trackCompetitor(tracking, 'ann', app, appId)).id;
  };
  const first = await add('2002', 11);
  await add('3003', 12);
  await tracking.client.untrackCompetitor({ account_id: 'ann', id: first });
  await add('4004', 13);
  await add('2002', 14);
  expect((await list(tracking)).relations.map(({ competitor }) => competitor?.listing?.app_id)).toEqual([
    ...['2002', '4004', '3003'],
  ]);
});

test('competitors added at the same time have a fixed order', async () => {
  const tracking = await startTracking();
  const app = await trackApp(tracking, 'ann');
  for (const appId of ['2002', '3003', '4004']) await trackCompetitor(tracking, 'ann', app, appId);
  expect((await list(tracking)).relations.map(({ id }) => id)).toEqual([3, 2, 1]);
});

test('the list covers all applications or a single one', async () => {
  const tracking = await startTracking();
  const [one, two] = [await trackApp(tracking, 'ann'), await trackApp(tracking, 'ann', '1002')];
  await trackCompetitor(tracking, 'ann', one, '2002');
  await trackCompetitor(tracking, 'ann', two, '2002');
  await trackCompetitor(tracking, 'ann', two, '1001');
  expect((await list(tracking)).total).toBe(3);
  const narrowed = await list(tracking, { app_id: two });
  expect(narrowed).toMatchObject({
    total: 2,
    relations: [
      { app: { id: two }, competitor: { id: one, listing: { app_id: '1001' } } },
      { app: { id: two }, competitor: { listing: { app_id: '2002' } } },
    ],
  });
});

test('an application without competitors has an empty list; one that is not tracked is not found', async () => {
  const tracking = await startTracking();
  const appId = await trackApp(tracking, 'ann');
  expect(await list(tracking, { app_id: appId })).toEqual({ relations: [], total: 0 });
  for (const wrong of [{ account_id: 'bob', app_id: appId }, { app_id: 999 }])
    expect(await codeOf(list(tracking, wrong))).toBe('APP_NOT_FOUND');
});

test('an account does not see the competitors of another account', async () => {
  const tracking = await startTracking();
  await trackCompetitor(tracking, 'ann', await trackApp(tracking, 'ann'), '2002');
  await trackApp(tracking, 'bob');
  expect(await list(tracking, { account_id: 'bob' })).toEqual({ relations: [], total: 0 });
});

test('a list holds the newest thousand competitors from one query, and the total counts all', async () => {
  const tracking = await startTracking();
  const app = await trackApp(tracking, 'ann');
  const { _id: _own, ...listing } = (await tracking.rows('listings'))[0] ?? {};
  const ids = Array.from({ length: 1005 }, (_, index) => 100 + index);
  await tracking.connection
    .collection<{ _id: number }>('listings')
    .insertMany(ids.map((_id) => ({ ...listing, _id, app_id: `app.${_id}` })));
  await tracking.connection.collection<{ _id: number }>('competitors').insertMany(
    ids.map((_id) => ({
      _id,
      account_id: 'ann',
      listing_id: app,
      competitor_id: _id,
      active: true,
      removed_at: null,
      tracked_since: new Date(_id * 1000),
    })),
  );
  const commands = recordCommands(tracking.connection);
  for (const request of [{}, { app_id: app }]) {
    commands.length = 0;
    const { relations, total } = await list(tracking, request);
    expect(commands.filter((command) => command.endsWith(' listings'))).toEqual(['find listings']);
    expect(total).toBe(1005);
    expect(relations).toHaveLength(1000);
    expect([relations[0]?.id, relations[999]?.id]).toEqual([1104, 105]);
  }
});

test.each([
  ['1001', 'the application'],
  ['2002', 'the competitor'],
])(
  'when the listing %s of %s cannot be read, the answer is an error, not an incomplete list',
  async (appId) => {
    const tracking = await startTracking();
    await trackCompetitor(tracking, 'ann', await trackApp(tracking, 'ann'), '2002');
    await tracking.connection.collection('listings').deleteOne({ ...us, app_id: appId });
    expect(await codeOf(list(tracking))).toBe('INTERNAL_ERROR');
  },
);
