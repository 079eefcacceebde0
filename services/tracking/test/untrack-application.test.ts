import { messagesOf } from './recording-bus.ts';
import { createHarness, type Tracking, trackApp, trackKeywords, us, within } from './start-tracking.ts';

const { startTracking } = createHarness();

const activeRows = async (tracking: Tracking) =>
  (await tracking.rows('tracked_keywords')).filter(({ active }) => active);

test('an application is removed once; a second time says so', async () => {
  const tracking = await startTracking();
  const id = await trackApp(tracking, 'ann');
  const request = { account_id: 'ann', id };
  expect(await tracking.client.untrackApplication(request, within())).toEqual({ id, already_removed: false });
  expect(await tracking.client.untrackApplication(request, within())).toEqual({ id, already_removed: true });
  const list = await tracking.client.listApplications({ account_id: 'ann' }, within());
  expect(list).toEqual({ applications: [], total: 0 });
  await tracking.stop();
  expect(messagesOf(tracking.bus.published, 'tracking.application-untracked.v1')).toEqual([
    { account_id: 'ann', id, at: tracking.clock.at },
  ]);
});

test('its keywords go with it, each with one event, and stay away when it is tracked again', async () => {
  const tracking = await startTracking();
  const id = await trackApp(tracking, 'ann');
  const keep = await trackApp(tracking, 'ann', '2002');
  const keywords = await trackKeywords(tracking, 'ann', id, ['one two', 'three', 'four']);
  await trackKeywords(tracking, 'ann', keep, ['three']);
  await tracking.client.untrackApplication({ account_id: 'ann', id }, within());
  await tracking.client.untrackApplication({ account_id: 'ann', id }, within());
  expect(await activeRows(tracking)).toMatchObject([{ listing_id: keep, keyword: 'three' }]);
  expect(await tracking.rows('tracked_keywords')).toHaveLength(4);
  expect(await trackApp(tracking, 'ann')).toBe(id);
  expect(await activeRows(tracking)).toHaveLength(1);
  await tracking.stop();
  const untracked = messagesOf(tracking.bus.published, 'tracking.keyword-untracked.v1');
  expect(untracked.map(({ keyword_id }) => keyword_id).sort()).toEqual([...keywords.values()].sort());
  expect(untracked.every(({ app_id }) => app_id === id)).toBe(true);
});

test('an application of another account, and one that nobody tracks, are not found', async () => {
  const tracking = await startTracking();
  const id = await trackApp(tracking, 'ann');
  for (const request of [
    { account_id: 'bob', id },
    { account_id: 'ann', id: 999 },
  ])
    await expect(tracking.client.untrackApplication(request, within())).rejects.toMatchObject({
      code: 'APP_NOT_FOUND',
    });
  expect(await tracking.rows('tracked_apps')).toMatchObject([{ active: true }]);
});

test.each([0, -1])('the id %i is refused by name', async (id) => {
  const { client } = await startTracking();
  await expect(client.untrackApplication({ account_id: 'ann', id }, within())).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    details: { issues: { fieldErrors: { id: [expect.any(String)] } } },
  });
});

/** What a crash right after the removal leaves: the app is marked, its keywords are not touched yet. */
async function crashAfterRemoval(tracking: Tracking, id: number): Promise<void> {
  await tracking.connection
    .collection('tracked_apps')
    .updateOne(
      { account_id: 'ann', listing_id: id },
      { $set: { active: false, removed_at: tracking.clock.at, sweep: true } },
    );
}

test('a removal that a crash interrupted is finished at the next start, however many keywords it has', async () => {
  const first = await startTracking();
  const id = await trackApp(first, 'ann');
  await trackKeywords(first, 'ann', id, ['one two']);
  const row = { account_id: 'ann', listing_id: id, keyword: 'x', active: true, favorite_order: 1 };
  const copies = Array.from({ length: 120 }, (_, index) => ({
    ...{ ...row, keyword_id: 1000 + index, tracked_since: first.clock.at, removed_at: null },
  }));
  await first.connection.collection('tracked_keywords').insertMany(copies);
  await crashAfterRemoval(first, id);
  await first.stop();

  const second = await startTracking({ database: first.database });
  expect(await activeRows(second)).toEqual([]);
  expect(await second.rows('tracked_apps')).toMatchObject([{ active: false }]);
  expect((await second.rows('tracked_apps'))[0]).not.toHaveProperty('sweep');
  await second.stop();
  const untracked = messagesOf(second.bus.published, 'tracking.keyword-untracked.v1');
  expect(new Set(untracked.map(({ keyword_id }) => keyword_id)).size).toBe(121);
  expect(untracked).toHaveLength(121);
});

test('a removal that a crash interrupted is finished before the application is tracked again', async () => {
  const tracking = await startTracking();
  const id = await trackApp(tracking, 'ann');
  await trackKeywords(tracking, 'ann', id, ['one two', 'three']);
  await crashAfterRemoval(tracking, id);
  expect(await trackApp(tracking, 'ann')).toBe(id);
  expect(await activeRows(tracking)).toEqual([]);
  expect(await tracking.rows('tracked_apps')).toMatchObject([{ active: true }]);
});

test('whatever two copies of the service do at once, a removed application has no keywords', async () => {
  const one = await startTracking();
  const two = await startTracking({ database: one.database });
  const id = await trackApp(one, 'ann');
  for (let round = 0; round < 8; round++) {
    const keywords = [`round ${round}`, `again ${round % 3}`];
    await Promise.allSettled([
      one.client.trackKeywords({ account_id: 'ann', app_id: id, storefront: us, keywords }, within()),
      two.client.untrackApplication({ account_id: 'ann', id }, within()),
    ]);
    expect(await activeRows(one)).toEqual([]);
    await trackApp(two, 'ann');
  }
});
