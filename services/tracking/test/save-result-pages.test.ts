import { SnapshotTaken } from '@shelfwise/proto/tracking/v1/events';
import { createCounterStore } from '@shelfwise/runtime/mongo/counter-store';
import fc from 'fast-check';
import { useDatabase } from '../../../testing/use-database.ts';
import { trackingSchema } from '../src/schema.ts';
import { createSaveResultPages, type PageOfMarket } from '../src/snapshots/save-result-pages.ts';
import { createKeywordMarketStore } from '../src/stores/keyword-market-store.ts';
import { createRankedAppStore } from '../src/stores/ranked-app-store.ts';
import { createSnapshotStore } from '../src/stores/snapshot-store.ts';
import { us } from './start-tracking.ts';

const takenAt = new Date('2026-03-10T09:00:00Z');
const database = useDatabase(trackingSchema);

/** Saves pages of the keywords `keyword 1` to `keyword <count>`, whose keyword markets exist. */
async function startSaving(count = 3) {
  const { connection } = await database.take();
  const keywordMarkets = createKeywordMarketStore(connection, createCounterStore(connection));
  const snapshots = createSnapshotStore(connection);
  const rankedApps = createRankedAppStore(connection);
  const wakeRelay = jest.fn();
  const saveResultPages = createSaveResultPages({
    keywordMarkets,
    snapshots,
    rankedApps,
    now: () => takenAt,
    wakeRelay,
  });
  await keywordMarkets.createMany(
    us,
    numbers(count).map((id) => ({ keyword: `keyword ${id}`, first_day: '2026-03-10' })),
  );
  const rows = (collection: string) => connection.collection(collection).find({}).sort({ _id: 1 }).toArray();
  /** The `app_ids` of the snapshot that is stored for each page; `rejected` for a page that is not saved. */
  async function save(...pages: PageOfMarket[]) {
    const saved = await saveResultPages(pages);
    return saved.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.app_ids : outcome.status));
  }
  return { connection, save, wakeRelay, rows };
}

/** A page of the keyword `keyword <id>` with the given apps; all default pages share app 1. */
const pageOf = (id: number, appIds = ['1', `only ${id}`], day = '2026-03-10'): PageOfMarket => ({
  snapshot: { day, taken_at: takenAt, source: 'sample', app_ids: appIds, revision: 1 },
  apps: appIds.map((appId) => ({
    app_id: appId,
    title: `Title of ${appId}`,
    icon: `icon ${appId}`,
    ratings: null,
  })),
  market: { _id: id, keyword: `keyword ${id}`, ...us },
  requestId: 'request-1',
});

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('pages are saved together, each with its own snapshot and event', async () => {
  const { connection, save, rows, wakeRelay } = await startSaving(50);
  const written = jest.spyOn(connection.model('KeywordMarket').collection, 'bulkWrite');
  expect(await save(...numbers(50).map((id) => pageOf(id)))).toEqual(
    numbers(50).map((id) => ['1', `only ${id}`]),
  );
  expect(written).toHaveBeenCalledTimes(1);
  expect(await rows('snapshots')).toHaveLength(50);
  expect(await rows('ranked_apps')).toHaveLength(51);
  for (const { _id, latest } of await rows('keyword_markets'))
    expect(latest).toMatchObject({ app_ids: ['1', `only ${_id}`], top: [{ app_id: '1' }, {}] });
  for (const { outbox } of await rows('snapshots')) expect(Object.keys(outbox)).toHaveLength(1);
  expect(wakeRelay).toHaveBeenCalledTimes(1);
});

test('two pages of one keyword and day make one snapshot and one event', async () => {
  const { save, rows } = await startSaving();
  await save(pageOf(1));
  const next = '2026-03-11';
  expect(await save(pageOf(1, ['9', '8'], next), pageOf(1, ['7'], next))).toEqual([
    ['9', '8'],
    ['9', '8'],
  ]);
  expect(await save(pageOf(1, ['6'], next))).toEqual([['9', '8']]);
  expect((await rows('snapshots')).map(({ _id }) => _id)).toEqual(['1:2026-03-10', '1:2026-03-11']);
  const [stored] = await rows('keyword_markets');
  expect(stored?.latest).toMatchObject({ day: next, app_ids: ['9', '8'] });
  const outboxes = (await rows('snapshots')).map(({ outbox }) => Object.keys(outbox).length);
  expect(outboxes).toEqual([1, 1]);
});

test('a page of a day before the first one moves the first day back', async () => {
  const { save, rows } = await startSaving(2);
  await save(pageOf(1, ['9'], '2026-03-09'), pageOf(2, ['9'], '2026-03-11'));
  expect((await rows('keyword_markets')).map((market) => market.first_day)).toEqual([
    '2026-03-09',
    '2026-03-10',
  ]);
});

test('a page with results replaces an empty snapshot of its day and is published with a higher revision', async () => {
  const { save, rows } = await startSaving();
  expect(await save(pageOf(1, []))).toEqual([[]]);
  expect(await save(pageOf(1, ['9', '8']))).toEqual([['9', '8']]);
  expect(await save(pageOf(1, []))).toEqual([['9', '8']]);
  expect(await save(pageOf(1, ['7']))).toEqual([['9', '8']]);
  const [snapshot] = await rows('snapshots');
  expect(snapshot).toMatchObject({ app_ids: ['9', '8'], revision: 2 });
  const events = Object.values(snapshot?.outbox as Record<string, { payload: { buffer: Uint8Array } }>).map(
    ({ payload }) => SnapshotTaken.decode(payload.buffer),
  );
  expect(events).toMatchObject([
    { app_ids: [], revision: 1 },
    { app_ids: ['9', '8'], revision: 2 },
  ]);
  expect((await rows('keyword_markets'))[0]?.latest).toMatchObject({
    app_ids: ['9', '8'],
    revision: 2,
    top: [{ app_id: '9' }, { app_id: '8' }],
  });
});

test('a page of a suspect storefront is stored and published as such, also when it replaces an empty snapshot', async () => {
  const { save, rows } = await startSaving();
  const suspectPage = (id: number): PageOfMarket => {
    const page = pageOf(id);
    return { ...page, snapshot: { ...page.snapshot, is_suspect: true } };
  };
  await save(pageOf(2, []));
  await save(suspectPage(1), suspectPage(2), pageOf(3));
  const marks = [true, true, undefined];
  expect((await rows('snapshots')).map((row) => row.is_suspect)).toEqual(marks);
  expect((await rows('keyword_markets')).map(({ latest }) => latest?.is_suspect)).toEqual(marks);
  const events = (await rows('snapshots')).flatMap(({ outbox }) =>
    Object.values(outbox as Record<string, { payload: { buffer: Uint8Array } }>).map(({ payload }) =>
      SnapshotTaken.decode(payload.buffer),
    ),
  );
  expect(events.map((event) => [event.keyword_id, event.revision, event.is_suspect ?? false])).toEqual([
    [1, 1, true],
    [2, 1, false],
    [2, 2, true],
    [3, 1, false],
  ]);
});

test('the pages of a day leave the same snapshot in whatever order and batches they come', async () => {
  const { save, rows, connection } = await startSaving(1);
  const anyPages = fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(anyPages, async (batches) => {
      await connection.collection('snapshots').deleteMany({});
      await connection.collection('keyword_markets').updateMany({}, { $unset: { latest: '' } });
      for (const batch of batches)
        await save(...batch.map((isEmpty) => pageOf(1, isEmpty ? [] : ['9', '8'])));
      const pages = batches.flat();
      const appIds = pages.includes(false) ? ['9', '8'] : [];
      const revision = pages[0] && pages.includes(false) ? 2 : 1;
      const [snapshot] = await rows('snapshots');
      const [market] = await rows('keyword_markets');
      for (const stored of [snapshot, market?.latest])
        expect({ app_ids: stored?.app_ids, revision: stored?.revision }).toEqual({
          app_ids: appIds,
          revision,
        });
    }),
    { numRuns: 30 },
  );
});

test('a snapshot of a day is disproved also when a later day is the latest', async () => {
  const { save, rows } = await startSaving();
  await save(pageOf(1, []));
  await save(pageOf(1, ['5'], '2026-03-11'));
  await save(pageOf(1, ['9']));
  expect((await rows('snapshots')).map(({ app_ids }) => app_ids)).toEqual([['9'], ['5']]);
  expect((await rows('keyword_markets'))[0]?.latest).toMatchObject({ day: '2026-03-11', app_ids: ['5'] });
});

test('pages of past days are published once each, in any order, and the newest stays the latest', async () => {
  const { save, rows } = await startSaving();
  await save(pageOf(1));
  const past = ['2026-03-08', '2026-03-05', '2026-03-07'];
  for (const day of [...past, ...past]) await save(pageOf(1, ['7'], day));
  await save(...past.map((day) => pageOf(1, ['8'], day)));
  const outboxes = (await rows('snapshots')).map(({ day, outbox }) => [day, Object.keys(outbox).length]);
  expect(outboxes).toEqual([...past.sort(), '2026-03-10'].map((day) => [day, 1]));
  expect((await rows('keyword_markets'))[0]?.latest).toMatchObject({ day: '2026-03-10' });
});

test('a page whose stored snapshot is incomplete is rejected, and the others are saved', async () => {
  const { connection, save, rows } = await startSaving();
  await connection.collection<{ _id: string }>('snapshots').insertOne({
    _id: '2:2026-03-10',
    keyword_id: 2,
    day: '2026-03-10',
    taken_at: takenAt,
    source: 'sample',
    app_ids: ['lost'],
  } as { _id: string });
  expect(await save(pageOf(1), pageOf(2), pageOf(3))).toEqual([['1', 'only 1'], 'rejected', ['1', 'only 3']]);
  expect((await rows('keyword_markets')).map(({ latest }) => latest?.day)).toEqual([
    '2026-03-10',
    undefined,
    '2026-03-10',
  ]);
});

test('pages that a failing database did not save completely are completed by the next pages', async () => {
  const { connection, save, rows } = await startSaving();
  jest.spyOn(connection.model('KeywordMarket').collection, 'bulkWrite').mockImplementationOnce(() => {
    throw new Error('no space is left on the disk');
  });
  await expect(save(pageOf(1), pageOf(2), pageOf(3))).rejects.toThrow('no space');
  await save(pageOf(1, ['9']), pageOf(2), pageOf(3));
  expect((await rows('keyword_markets')).map(({ latest }) => latest?.day)).toEqual(
    Array(3).fill('2026-03-10'),
  );
  expect((await rows('keyword_markets'))[0]?.latest).toMatchObject({ app_ids: ['1', 'only 1'] });
  expect((await rows('snapshots')).map(({ outbox }) => Object.keys(outbox).length)).toEqual([1, 1, 1]);
});

test('the first apps have the ratings of the page that was read, and null where a completed page does not show them', async () => {
  const { connection, save, rows } = await startSaving();
  const rated = (page: PageOfMarket): PageOfMarket => ({
    ...page,
    apps: page.apps.map((app) => ({ ...app, ratings: 120 })),
  });
  await save(rated(pageOf(1)));
  expect((await rows('keyword_markets'))[0]?.latest.top).toMatchObject([{ ratings: 120 }, { ratings: 120 }]);
  jest.spyOn(connection.model('KeywordMarket').collection, 'bulkWrite').mockImplementationOnce(() => {
    throw new Error('no space is left on the disk');
  });
  await expect(save(rated(pageOf(2)))).rejects.toThrow('no space');
  await save(rated(pageOf(2, ['1'])));
  expect((await rows('keyword_markets'))[1]?.latest.top).toMatchObject([
    { app_id: '1', ratings: 120 },
    { app_id: 'only 2', ratings: null },
  ]);
});

test('app titles stay up to date although known apps are not looked up again', async () => {
  const { connection, save, rows } = await startSaving();
  await save(pageOf(1));
  const lookups = jest.spyOn(connection.model('RankedApp'), 'find');
  await save(pageOf(2, ['1', 'only 1']));
  expect(lookups).not.toHaveBeenCalled();
  const renamed = pageOf(3, ['1']);
  await save({ ...renamed, apps: [{ app_id: '1', title: 'New', icon: 'icon 1', ratings: null }] });
  expect((await rows('ranked_apps'))[0]).toMatchObject({ title: 'New' });
});
