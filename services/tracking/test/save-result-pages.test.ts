import { randomUUID } from 'node:crypto';
import { createLogger } from '@shelfwise/runtime/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { createCounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { prepareDatabase } from '@shelfwise/runtime/mongo/prepare-database';
import { useDatabaseServer } from '../../../testing/use-database-server.ts';
import { createSaveResultPages } from '../src/snapshots/save-result-pages.ts';
import { createKeywordMarketStore } from '../src/stores/keyword-market-store.ts';
import { createRankedAppStore } from '../src/stores/ranked-app-store.ts';
import { createSnapshotStore } from '../src/stores/snapshot-store.ts';
import { us } from './start-tracking.ts';

const logger = createLogger({ name: 'test', level: 'silent', destination: process.stdout });
const takenAt = new Date('2026-03-10T09:00:00Z');
const engine = useDatabaseServer();
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function startSaving() {
  const database = `tracking_${randomUUID().slice(0, 18)}`;
  const connection = await connectMongo({ uri: engine(), database, logger });
  closing.push(async () => {
    await connection.dropDatabase();
    await connection.close();
  });
  const keywordMarkets = createKeywordMarketStore(connection, createCounterStore(connection));
  const snapshots = createSnapshotStore(connection);
  const rankedApps = createRankedAppStore(connection);
  await prepareDatabase(connection);
  const wakeRelay = jest.fn();
  const saveResultPages = createSaveResultPages({
    keywordMarkets,
    snapshots,
    rankedApps,
    now: () => takenAt,
    wakeRelay,
  });
  const rows = (collection: string) => connection.collection(collection).find({}).sort({ _id: 1 }).toArray();
  return { connection, saveResultPages, wakeRelay, rows };
}

/** A page of the keyword `keyword <id>` with the given apps; all default pages share app 1. */
const pageOf = (id: number, appIds = ['1', `only ${id}`], day = '2026-03-10') => ({
  snapshot: { day, taken_at: takenAt, source: 'sample', app_ids: appIds },
  apps: appIds.map((appId) => ({ app_id: appId, title: `Title of ${appId}`, icon: `icon ${appId}` })),
  storefront: us,
  keyword: `keyword ${id}`,
  market: { newId: id },
  requestId: 'request-1',
});

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('pages that arrive together are saved together, each with its own snapshot and event', async () => {
  const { connection, saveResultPages, rows, wakeRelay } = await startSaving();
  const written = jest.spyOn(connection.model('KeywordMarket'), 'bulkWrite');
  const markets = await Promise.all(numbers(120).map((id) => saveResultPages.add(pageOf(id))));
  expect(markets.map(({ _id, latest }) => [_id, latest.app_ids])).toEqual(
    numbers(120).map((id) => [id, ['1', `only ${id}`]]),
  );
  expect(written.mock.calls.length).toBeLessThanOrEqual(3);
  expect(await rows('snapshots')).toHaveLength(120);
  expect(await rows('ranked_apps')).toHaveLength(121);
  for (const { _id, latest } of await rows('keyword_markets'))
    expect(latest).toMatchObject({ app_ids: ['1', `only ${_id}`], top: [{ app_id: '1' }, {}] });
  for (const { outbox } of await rows('snapshots')) expect(Object.keys(outbox)).toHaveLength(1);
  expect(wakeRelay).toHaveBeenCalledTimes(written.mock.calls.length);
});

test('two pages of one keyword and day make one snapshot and one event', async () => {
  const { saveResultPages, rows } = await startSaving();
  await saveResultPages.add(pageOf(1));
  const next = '2026-03-11';
  const market = { _id: 1, keyword: 'keyword 1', ...us };
  const both = await Promise.all(
    [['9', '8'], ['7']].map((appIds) => saveResultPages.add({ ...pageOf(1, appIds, next), market })),
  );
  expect(both.map(({ latest }) => latest.app_ids)).toEqual([
    ['9', '8'],
    ['9', '8'],
  ]);
  expect((await rows('snapshots')).map(({ _id }) => _id)).toEqual(['1:2026-03-10', '1:2026-03-11']);
  const [stored] = await rows('keyword_markets');
  expect(stored?.latest).toMatchObject({ day: next, app_ids: ['9', '8'] });
  const outboxes = (await rows('snapshots')).map(({ outbox }) => Object.keys(outbox).length);
  expect(outboxes).toEqual([1, 1]);
});

test('pages of past days are published once each, in any order, and the newest stays the latest', async () => {
  const { saveResultPages, rows } = await startSaving();
  await saveResultPages.add(pageOf(1));
  const market = { _id: 1, keyword: 'keyword 1', ...us };
  const past = ['2026-03-08', '2026-03-05', '2026-03-07'];
  for (const day of [...past, ...past]) await saveResultPages.add({ ...pageOf(1, ['7'], day), market });
  await Promise.all(past.map((day) => saveResultPages.add({ ...pageOf(1, ['8'], day), market })));
  const outboxes = (await rows('snapshots')).map(({ day, outbox }) => [day, Object.keys(outbox).length]);
  expect(outboxes).toEqual([...past.sort(), '2026-03-10'].map((day) => [day, 1]));
  expect((await rows('keyword_markets'))[0]?.latest).toMatchObject({ day: '2026-03-10' });
});

test('a page whose stored snapshot is incomplete is rejected, and the others are saved', async () => {
  const { connection, saveResultPages, rows } = await startSaving();
  await connection.collection<{ _id: string }>('snapshots').insertOne({
    _id: '2:2026-03-10',
    keyword_id: 2,
    day: '2026-03-10',
    taken_at: takenAt,
    source: 'sample',
    app_ids: ['lost'],
  } as { _id: string });
  const ended = await Promise.allSettled(numbers(3).map((id) => saveResultPages.add(pageOf(id))));
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((await rows('keyword_markets')).map(({ latest }) => latest?.day)).toEqual([
    '2026-03-10',
    undefined,
    '2026-03-10',
  ]);
});

test('a failing database rejects every page of the batch, and the next pages are saved', async () => {
  const { connection, saveResultPages, rows } = await startSaving();
  jest.spyOn(connection.model('KeywordMarket'), 'bulkWrite').mockImplementationOnce(() => {
    throw new Error('no space is left on the disk');
  });
  const ended = await Promise.allSettled(numbers(3).map((id) => saveResultPages.add(pageOf(id))));
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await Promise.all(numbers(3).map((id) => saveResultPages.add(pageOf(id))));
  expect((await rows('keyword_markets')).map(({ latest }) => latest?.day)).toEqual(
    Array(3).fill('2026-03-10'),
  );
});

test('app titles stay up to date although known apps are not looked up again', async () => {
  const { connection, saveResultPages, rows } = await startSaving();
  await saveResultPages.add(pageOf(1));
  const lookups = jest.spyOn(connection.model('RankedApp'), 'find');
  await saveResultPages.add(pageOf(2, ['1', 'only 1']));
  expect(lookups).not.toHaveBeenCalled();
  const renamed = pageOf(3, ['1']);
  await saveResultPages.add({ ...renamed, apps: [{ app_id: '1', title: 'New', icon: 'icon 1' }] });
  expect((await rows('ranked_apps'))[0]).toMatchObject({ title: 'New' });
});

test('idle resolves when no page is waiting to be saved', async () => {
  const { saveResultPages, rows } = await startSaving();
  await saveResultPages.idle();
  const written = saveResultPages.add(pageOf(1));
  await saveResultPages.idle();
  expect((await rows('keyword_markets'))[0]).toHaveProperty('latest');
  await written;
});
