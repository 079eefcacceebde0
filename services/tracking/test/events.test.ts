import type { Topic } from '@shelfwise/proto/topics';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { messagesOf } from '../../../testing/recording-bus.ts';
import {
  createHarness,
  type Tracking,
  trackApp,
  trackCompetitor,
  trackKeywords,
  us,
} from './start-tracking.ts';

const { startTracking } = createHarness();

/** Makes every kind of change: ten events. */
async function changeEverything(tracking: Tracking): Promise<void> {
  const appId = await trackApp(tracking, 'ann');
  const ids = await trackKeywords(tracking, 'ann', appId, ['camera']);
  const keyword = { account_id: 'ann', app_id: appId, keyword_id: ids.get('camera') ?? 0 };
  await tracking.client.setKeywordFavorite({ ...keyword, is_favorite: true });
  await tracking.client.untrackKeyword(keyword);
  await trackKeywords(tracking, 'ann', appId, ['camera']);
  await trackCompetitor(tracking, 'ann', appId, '2002');
  await tracking.client.untrackApplication({ account_id: 'ann', id: appId });
}

const topicsOfIt = [
  'tracking.application-tracked.v1',
  'tracking.application-untracked.v1',
  'tracking.competitor-tracked.v1',
  'tracking.competitor-untracked.v1',
  'tracking.keyword-favorite-set.v1',
  'tracking.keyword-tracked.v1',
  'tracking.keyword-tracked.v1',
  'tracking.keyword-untracked.v1',
  'tracking.keyword-untracked.v1',
  'tracking.snapshot-taken.v1',
];

const outboxes = ['tracked_apps', 'snapshots', 'tracked_keywords', 'competitors'];
async function waitingEvents({ rows }: Tracking): Promise<string[]> {
  const documents = (await Promise.all(outboxes.map(rows))).flat();
  return documents.flatMap((document) => Object.keys(('outbox' in document && document.outbox) || {}));
}

test('every change publishes one event with what changed', async () => {
  const tracking = await startTracking();
  await changeEverything(tracking);
  await tracking.stop();
  const { published } = tracking.bus;
  expect(published.map(({ topic }) => topic).sort()).toEqual(topicsOfIt);
  expect(messagesOf(published, 'tracking.keyword-tracked.v1')[0]).toEqual({
    account_id: 'ann',
    keyword_id: 1,
    keyword: 'camera',
    app_id: 1,
    storefront: us,
    at: tracking.clock.at,
    scored_at: null,
  });
  expect(messagesOf(published, 'tracking.snapshot-taken.v1')).toMatchObject([
    { keyword_id: 1, keyword: 'camera', storefront: us, day: '2026-03-10', source: 'sample' },
  ]);
  expect(messagesOf(published, 'tracking.keyword-favorite-set.v1')).toEqual([
    { account_id: 'ann', keyword_id: 1, app_id: 1, is_favorite: true, at: tracking.clock.at },
  ]);
  const [competitor] = messagesOf(published, 'tracking.competitor-tracked.v1');
  expect(competitor).toMatchObject({
    account_id: 'ann',
    app_id: 1,
    at: tracking.clock.at,
    listing: { revision: 1, listing: { app_id: '2002' } },
  });
  expect(messagesOf(published, 'tracking.competitor-untracked.v1')).toMatchObject([
    { account_id: 'ann', app_id: 1, competitor_id: competitor?.listing?.id },
  ]);
});

test('events of one keyword and account are published in the order of its changes', async () => {
  const tracking = await startTracking({ hasBus: false });
  await changeEverything(tracking);
  await tracking.stop();
  const second = await startTracking({ database: tracking.database });
  await second.stop();
  const changes = second.bus.published.filter(({ topic }) => topic.startsWith('tracking.keyword-'));
  expect(changes.map(({ topic }) => topic.split('.')[1])).toEqual([
    'keyword-tracked',
    'keyword-favorite-set',
    'keyword-untracked',
    'keyword-tracked',
    'keyword-untracked',
  ]);
});

test('the times of the events of one row only increase, also when copies with different clocks change it', async () => {
  const ahead = await startTracking();
  const behind = await startTracking({
    database: ahead.database,
    clock: createManualClock('2026-03-10T08:00:00Z'),
  });
  const appId = await trackApp(ahead, 'ann');
  const ids = await trackKeywords(ahead, 'ann', appId, ['camera', 'photo']);
  const removal = { account_id: 'ann', app_id: appId, keyword_id: ids.get('camera') ?? 0 };
  await behind.client.untrackKeyword(removal);
  await trackKeywords(ahead, 'ann', appId, ['camera']);
  await behind.client.untrackApplication({ account_id: 'ann', id: appId });
  await trackApp(behind, 'ann');
  await ahead.client.untrackApplication({ account_id: 'ann', id: appId });
  await ahead.stop();
  await behind.stop();

  // Both copies may publish an event.
  const published = [...ahead.bus.published, ...behind.bus.published].filter(
    ({ id }, index, all) => index === all.findIndex((event) => event.id === id),
  );
  const timesOf = (topics: readonly Topic[]) =>
    topics
      .flatMap((topic) => messagesOf(published, topic) as { at: Date; keyword_id?: number }[])
      .filter(({ keyword_id: id = removal.keyword_id }) => id === removal.keyword_id)
      .map(({ at }) => at.getTime() - ahead.clock.at.getTime())
      .sort();
  const tracked = ['tracking.keyword-tracked.v1', 'tracking.application-tracked.v1'] as const;
  const untracked = ['tracking.keyword-untracked.v1', 'tracking.application-untracked.v1'] as const;
  expect(timesOf([tracked[0]])).toEqual([0, 2]);
  expect(timesOf([untracked[0]])).toEqual([1, 3]);
  expect(timesOf([tracked[1]])).toEqual([0, 2]);
  expect(timesOf([untracked[1]])).toEqual([1, 3]);
});

test('a favorite that is set again publishes nothing, and a competitor that comes back has a later time', async () => {
  const tracking = await startTracking();
  const { client } = tracking;
  const appId = await trackApp(tracking, 'ann');
  const ids = await trackKeywords(tracking, 'ann', appId, ['camera']);
  const keyword = { account_id: 'ann', app_id: appId, keyword_id: ids.get('camera') ?? 0 };
  for (const isFavorite of [false, true, true, false])
    await client.setKeywordFavorite({ ...keyword, is_favorite: isFavorite });
  const { id: relation } = await trackCompetitor(tracking, 'ann', appId, '2002');
  await client.untrackCompetitor({ account_id: 'ann', id: relation });
  await client.untrackCompetitor({ account_id: 'ann', id: relation });
  expect((await trackCompetitor(tracking, 'ann', appId, '2002')).id).toBe(relation);
  await tracking.stop();
  const { published } = tracking.bus;
  const msOf = ({ at }: { at: Date | null }) => (at?.getTime() ?? 0) - tracking.clock.at.getTime();
  const favorites = messagesOf(published, 'tracking.keyword-favorite-set.v1');
  expect(favorites.map((event) => [event.is_favorite, msOf(event)])).toEqual([
    [true, 0],
    [false, 1],
  ]);
  expect(messagesOf(published, 'tracking.competitor-tracked.v1').map(msOf)).toEqual([0, 2]);
  expect(messagesOf(published, 'tracking.competitor-untracked.v1').map(msOf)).toEqual([1]);
});

test('a refused change publishes nothing', async () => {
  const tracking = await startTracking();
  const appId = await trackApp(tracking, 'ann');
  await trackKeywords(tracking, 'ann', appId, ['camera']);
  const { client } = tracking;
  await client.trackApplication({ account_id: 'ann', storefront: us, app_id: '1001' }).catch(() => {});
  await client.trackKeywords({ account_id: 'ann', app_id: appId, storefront: us, keywords: ['camera', 'x'] });
  await client.untrackKeyword({ account_id: 'ann', app_id: appId, keyword_id: 99 }).catch(() => {});
  await client.untrackApplication({ account_id: 'bob', id: appId }).catch(() => {});
  await tracking.stop();
  expect(tracking.bus.published).toHaveLength(3);
});

test('without a bus, events wait in the database, and a later start publishes each once', async () => {
  const first = await startTracking({ hasBus: false });
  await changeEverything(first);
  const waiting = await waitingEvents(first);
  expect(waiting).toHaveLength(topicsOfIt.length);
  await first.stop();

  const second = await startTracking({ database: first.database });
  await second.stop();
  expect(second.bus.published.map(({ id }) => id).sort()).toEqual(waiting.sort());
  expect(await waitingEvents(second)).toEqual([]);

  const third = await startTracking({ database: first.database });
  await third.stop();
  expect(third.bus.published).toEqual([]);
});

test('a change and its event are one write: the document holds both before anything is published', async () => {
  const tracking = await startTracking({ hasBus: false });
  const appId = await trackApp(tracking, 'ann');
  expect(await tracking.rows('tracked_apps')).toMatchObject([
    { active: true, outbox_since: tracking.clock.at },
  ]);
  expect(await waitingEvents(tracking)).toHaveLength(1);
  await trackKeywords(tracking, 'ann', appId, ['camera']);
  expect(await tracking.rows('keyword_markets')).toMatchObject([{ latest: { day: '2026-03-10' } }]);
  expect(await waitingEvents(tracking)).toHaveLength(3);
});
