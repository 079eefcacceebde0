import { AppError } from '@shelfwise/runtime/errors';
import { codeOf } from '../../../testing/call-within.ts';
import { recordCommands } from '../../../testing/record-commands.ts';
import { messagesOf } from '../../../testing/recording-bus.ts';
import { until } from '../../../testing/until.ts';
import {
  createHarness,
  listAll,
  type Tracking,
  trackApp,
  trackCompetitor,
  trackKeyword,
  trackKeywords,
  us,
} from './start-tracking.ts';
import { untrackHeld } from './untrack-held.ts';

const { startTracking } = createHarness({ hasBus: false });

const activeRows = async (tracking: Tracking, collection = 'tracked_keywords') =>
  (await tracking.rows(collection)).filter(({ active }) => active);

test('an application is removed once; a second call reports that', async () => {
  const tracking = await startTracking({ hasBus: true });
  const id = await trackApp(tracking, 'ann');
  const request = { account_id: 'ann', id };
  tracking.clock.advance(1000);
  expect(await tracking.client.untrackApplication(request)).toEqual({
    id,
    already_removed: false,
  });
  expect(await tracking.client.untrackApplication(request)).toEqual({
    id,
    already_removed: true,
  });
  const list = await tracking.client.listApplications({ account_id: 'ann' });
  expect(list).toEqual({ applications: [], total: 0 });
  await tracking.stop();
  expect(messagesOf(tracking.bus.published, 'tracking.application-untracked.v1')).toEqual([
    { account_id: 'ann', id, at: tracking.clock.at },
  ]);
});

test('the removal of an application without rows takes five commands, and three find that it is done', async () => {
  const tracking = await startTracking();
  const id = await trackApp(tracking, 'ann');
  tracking.clock.advance(1000);
  const commands = recordCommands(tracking.connection);
  await tracking.client.untrackApplication({ account_id: 'ann', id });
  const read = ['find tracked_apps', 'find competitors', 'find tracked_keywords'];
  // The two reads of rows begin together, in either order.
  const sent = commands.splice(0);
  expect([...sent.slice(0, 2), ...sent.slice(2, 4).sort(), ...sent.slice(4)]).toEqual([
    ...['update tracked_apps', ...read],
    'update tracked_apps',
  ]);
  await tracking.client.untrackApplication({ account_id: 'ann', id });
  expect(commands).toEqual(['update tracked_apps', 'find tracked_apps', 'find tracked_apps']);
});

test('the keywords of a removed application are removed too, each with one event, and stay removed when it is tracked again', async () => {
  const tracking = await startTracking({ hasBus: true });
  const id = await trackApp(tracking, 'ann');
  const other = await trackApp(tracking, 'ann', '2002');
  const keywords = await trackKeywords(tracking, 'ann', id, ['one two', 'three', 'four']);
  await trackKeywords(tracking, 'ann', other, ['three']);
  await tracking.client.untrackApplication({ account_id: 'ann', id });
  await tracking.client.untrackApplication({ account_id: 'ann', id });
  expect(await activeRows(tracking)).toMatchObject([{ listing_id: other, keyword: 'three' }]);
  expect(await tracking.rows('tracked_keywords')).toHaveLength(4);
  expect(await trackApp(tracking, 'ann')).toBe(id);
  expect(await activeRows(tracking)).toHaveLength(1);
  await tracking.stop();
  const untracked = messagesOf(tracking.bus.published, 'tracking.keyword-untracked.v1');
  expect(untracked.map((event) => event.keyword_id).sort()).toEqual([...keywords.values()].sort());
  expect(untracked.every((event) => event.app_id === id)).toBe(true);
});

test('an application of another account and one that was never tracked are not found', async () => {
  const tracking = await startTracking();
  const id = await trackApp(tracking, 'ann');
  for (const request of [
    { account_id: 'bob', id },
    { account_id: 'ann', id: 999 },
  ])
    expect(await codeOf(tracking.client.untrackApplication(request))).toBe('APP_NOT_FOUND');
  expect(await tracking.rows('tracked_apps')).toMatchObject([{ active: true }]);
});

/** Simulates a crash right after the first write of a removal: the app is marked, its keywords are unchanged. */
async function crashAfterRemoval(tracking: Tracking, id: number): Promise<void> {
  await tracking.connection
    .collection('tracked_apps')
    .updateOne(
      { account_id: 'ann', listing_id: id },
      { $set: { active: false, removed_at: tracking.clock.at, is_removal_pending: true } },
    );
}

/** Adds 120 active rows of the application, more than two batches: keywords, or competitors. */
async function addRows(
  { connection, clock }: Tracking,
  listingId: number,
  collection: 'tracked_keywords' | 'competitors',
) {
  const row = {
    account_id: 'ann',
    listing_id: listingId,
    active: true,
    tracked_since: clock.at,
    removed_at: null,
  };
  await connection.collection<{ _id: number }>(collection).insertMany(
    Array.from({ length: 120 }, (_, index) => {
      const id = 1000 + index;
      const own =
        collection === 'competitors'
          ? { competitor_id: id }
          : { keyword_id: id, keyword: 'x', favorite_order: 1 };
      return { _id: id, ...row, ...own };
    }),
  );
}

test('the next start completes a removal that a crash interrupted, for any number of keywords and competitors', async () => {
  const first = await startTracking({ hasBus: true });
  const id = await trackApp(first, 'ann');
  await trackKeywords(first, 'ann', id, ['one two']);
  await addRows(first, id, 'tracked_keywords');
  await addRows(first, id, 'competitors');
  await crashAfterRemoval(first, id);
  await first.stop();

  const second = await startTracking({ database: first.database, hasBus: true });
  await until(async () => !('is_removal_pending' in ((await second.rows('tracked_apps'))[0] ?? {})));
  expect([await activeRows(second), await activeRows(second, 'competitors')]).toEqual([[], []]);
  expect(await second.rows('tracked_apps')).toMatchObject([{ active: false }]);
  await second.stop();
  const untracked = messagesOf(second.bus.published, 'tracking.keyword-untracked.v1');
  expect(new Set(untracked.map((event) => event.keyword_id)).size).toBe(121);
  expect(untracked).toHaveLength(121);
});

test('a removal that a crash interrupted is completed before the application is tracked again', async () => {
  const tracking = await startTracking();
  const id = await trackApp(tracking, 'ann');
  await trackKeywords(tracking, 'ann', id, ['one two', 'three']);
  await crashAfterRemoval(tracking, id);
  expect(await trackApp(tracking, 'ann')).toBe(id);
  expect(await activeRows(tracking)).toEqual([]);
  expect(await tracking.rows('tracked_apps')).toMatchObject([{ active: true }]);
});

test('a removal of thousands of keywords is answered before the last one is untracked, and no list shows them', async () => {
  const tracking = await startTracking({ hasBus: true });
  const { client } = tracking;
  const id = await trackApp(tracking, 'ann');
  const other = await trackApp(tracking, 'ann', '2002');
  const ids = await trackKeywords(tracking, 'ann', id, ['one two', 'three']);
  const { reply, release } = await untrackHeld(tracking, id);
  expect(reply).toEqual({ id, already_removed: false });
  expect(await activeRows(tracking)).toHaveLength(2);
  expect(await client.listKeywords(listAll)).toEqual({ keywords: [], total: 0 });
  expect(await client.getTotals({ account_id: 'ann' })).toMatchObject({ apps: 1, keywords: 0 });
  const favorite = { account_id: 'ann', app_id: id, keyword_id: ids.get('three') ?? 0, is_favorite: true };
  expect(await codeOf(client.setKeywordFavorite(favorite))).toBe('NOT_FOUND');
  const more = { account_id: 'ann', app_id: other, storefront: us, keywords: ['three'], max_keywords: 1 };
  expect((await client.trackKeywords(more)).results).toMatchObject([{ outcome: { $case: 'success' } }]);

  release();
  expect(await trackApp(tracking, 'ann')).toBe(id);
  expect(await activeRows(tracking)).toMatchObject([{ listing_id: other }]);
  await tracking.stop();
  expect(messagesOf(tracking.bus.published, 'tracking.keyword-untracked.v1')).toHaveLength(2);
});

test('a stop does not wait for thousands of keywords: the next start removes the rest', async () => {
  const first = await startTracking({ hasBus: true });
  const id = await trackApp(first, 'ann');
  await addRows(first, id, 'tracked_keywords');
  const { release } = await untrackHeld(first, id);
  // Releases the batch that is being written, once the removal is stopped.
  const { abort } = AbortController.prototype;
  const abortSpy = jest.spyOn(AbortController.prototype, 'abort').mockImplementation(function (
    this: AbortController,
    reason,
  ) {
    abort.call(this, reason);
    if (reason instanceof AppError) release();
  });
  await first.stop();
  abortSpy.mockRestore();
  expect(await activeRows(first)).toHaveLength(70);
  expect(await first.rows('tracked_apps')).toMatchObject([{ active: false, is_removal_pending: true }]);

  const second = await startTracking({ database: first.database, hasBus: true });
  await until(async () => (await activeRows(second)).length === 0);
  await second.stop();
  const untracked = [first, second].flatMap(({ bus }) =>
    messagesOf(bus.published, 'tracking.keyword-untracked.v1'),
  );
  expect(new Set(untracked.map((event) => event.keyword_id)).size).toBe(120);
});

test('the competitors of a removed application are removed too, and stay removed until they are added again', async () => {
  const tracking = await startTracking();
  const id = await trackApp(tracking, 'ann');
  const other = await trackApp(tracking, 'ann', '1002');
  const relation = await trackCompetitor(tracking, 'ann', id, '2002');
  const otherRelation = await trackCompetitor(tracking, 'ann', other, '2002');
  await tracking.client.untrackApplication({ account_id: 'ann', id });
  expect(await activeRows(tracking, 'competitors')).toMatchObject([{ _id: otherRelation.id }]);
  expect(await trackApp(tracking, 'ann')).toBe(id);
  expect(await activeRows(tracking, 'competitors')).toHaveLength(1);
  expect(await trackCompetitor(tracking, 'ann', id, '2002')).toEqual(relation);
});

test('competitors of an application whose removal is pending are not listed and do not count for the cap', async () => {
  const tracking = await startTracking();
  const { client } = tracking;
  const id = await trackApp(tracking, 'ann');
  const other = await trackApp(tracking, 'ann', '1002');
  const keywordId = await trackKeyword(tracking, 'ann', id, 'camera');
  const { competitor_id: competitorId } = await trackCompetitor(tracking, 'ann', id, '2002');
  const { release } = await untrackHeld(tracking, id, 'Competitor');
  expect(await activeRows(tracking, 'competitors')).toHaveLength(1);

  expect(await client.listCompetitors({ account_id: 'ann' })).toEqual({
    relations: [],
    total: 0,
  });
  expect(await client.getTotals({ account_id: 'ann' })).toMatchObject({ competitors: 0 });
  const history = {
    account_id: 'ann',
    keyword_id: keywordId,
    app_id: competitorId,
    from: '2026-03-10',
    to: '2026-03-10',
  };
  expect(await codeOf(client.getRankHistory(history))).toBe('APP_NOT_FOUND');
  const one = { account_id: 'ann', app_id: other, competitor_app_id: '3003', storefront: us };
  await client.trackCompetitor({ ...one, max_competitors: 1 });

  release();
  expect(await trackApp(tracking, 'ann')).toBe(id);
  expect(await activeRows(tracking, 'competitors')).toMatchObject([{ listing_id: other }]);
});

test('a late removal takes nothing from an application that is tracked again', async () => {
  const late = await startTracking();
  const id = await trackApp(late, 'ann');
  await trackCompetitor(late, 'ann', id, '2002');
  const { release } = await untrackHeld(late, id, 'Competitor');

  // Another copy completes the removal, and the account adds both again.
  const other = await startTracking({ database: late.database });
  other.clock.at = new Date('2026-03-10T09:01:00Z');
  await trackApp(other, 'ann');
  await trackCompetitor(other, 'ann', id, '2002');
  release();
  await late.stop();
  expect(await activeRows(other, 'competitors')).toHaveLength(1);
});

test('an application that another copy tracks and removes meanwhile is tracked once that removal is complete', async () => {
  const one = await startTracking();
  const two = await startTracking({ database: one.database });
  const model = one.connection.model('TrackedApp');
  const create = model.create.bind(model) as (row: unknown) => Promise<unknown>;
  jest.spyOn(model, 'create').mockImplementationOnce((async (row: unknown) => {
    const id = await trackApp(two, 'ann');
    await trackKeywords(two, 'ann', id, ['camera']);
    await crashAfterRemoval(two, id);
    return create(row);
  }) as typeof model.create);
  await trackApp(one, 'ann');
  expect(await one.rows('tracked_apps')).toMatchObject([{ active: true }]);
  expect(await activeRows(one)).toEqual([]);
});

test('an application that another copy removes while keywords are being saved gets none of them', async () => {
  const one = await startTracking({ hasBus: true });
  const two = await startTracking({ database: one.database, hasBus: true });
  const id = await trackApp(one, 'ann');
  const { collection } = one.connection.model('TrackedKeyword');
  const insertMany = collection.insertMany.bind(collection);
  // The other copy completes the removal before this copy writes the keyword.
  jest.spyOn(collection, 'insertMany').mockImplementationOnce(async (rows, options) => {
    await two.client.untrackApplication({ account_id: 'ann', id });
    return insertMany(rows, options ?? {});
  });
  const request = { account_id: 'ann', app_id: id, storefront: us, keywords: ['camera'] };
  expect(await codeOf(one.client.trackKeywords(request))).toBe('APP_NOT_FOUND');
  expect(await one.rows('tracked_keywords')).toMatchObject([{ keyword: 'camera', active: false }]);
  await one.stop();
  await two.stop();
  const published = new Map([one, two].flatMap(({ bus }) => bus.published.map((event) => [event.id, event])));
  const events = [...published.values()];
  expect(messagesOf(events, 'tracking.keyword-tracked.v1')).toHaveLength(1);
  expect(messagesOf(events, 'tracking.keyword-untracked.v1')).toHaveLength(1);
});

test('concurrent calls to two copies of the service never leave a keyword on a removed application', async () => {
  const one = await startTracking();
  const two = await startTracking({ database: one.database });
  const id = await trackApp(one, 'ann');
  for (let round = 0; round < 8; round++) {
    const keywords = [`round ${round}`, `again ${round % 3}`];
    await Promise.allSettled([
      one.client.trackKeywords({ account_id: 'ann', app_id: id, storefront: us, keywords }),
      two.client.untrackApplication({ account_id: 'ann', id }),
    ]);
    expect(await activeRows(one)).toEqual([]);
    await trackApp(two, 'ann');
  }
});
