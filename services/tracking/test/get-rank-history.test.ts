import type { GetRankHistoryReply } from '@shelfwise/proto/tracking/v1/tracking';
import { codeOf } from '../../../testing/call-within.ts';
import { createHarness, trackApp, trackCompetitor, trackKeyword, trackKeywords } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });
const window = { from: '2026-03-01', to: '2026-03-31' };

/** A keyword of app 1001 with snapshots of March 10, 11 and 13; the app ranks on the 10th and the 13th. */
async function startWithHistory() {
  const tracking = await startTracking();
  const appId = await trackApp(tracking, 'ann');
  const readers = ['reader 1', 'reader 2'];
  const pages: [string, string[]][] = [
    ['2026-03-10', ['9', '1001']],
    ['2026-03-11', ['9', '8']],
    ['2026-03-13', ['1001']],
  ];
  let keywordId = 0;
  for (const [index, [day, page]] of pages.entries()) {
    tracking.clock.at = new Date(`${day}T12:00:00Z`);
    tracking.store.setPage('camera', page);
    const reader = readers[index - 1];
    const account = reader ?? 'ann';
    const app = reader ? await trackApp(tracking, reader, '2002') : appId;
    keywordId = await trackKeyword(tracking, account, app, 'camera');
  }
  return {
    ...tracking,
    tracking,
    appId,
    keywordId,
    request: { account_id: 'ann', keyword_id: keywordId, ...window },
  };
}

const ranks = ({ apps }: GetRankHistoryReply) =>
  apps.map(({ app_id: appId, history }) => [appId, history.map(({ date, rank }) => [date, rank])]);

test('the rank is null on a day on which the app does not rank; a day without a snapshot has no row', async () => {
  const { client, request, appId, keywordId } = await startWithHistory();
  const reply = await client.getRankHistory(request);
  expect(reply).toMatchObject({
    keyword_id: keywordId,
    keyword: 'camera',
    store: 'ITUNES',
    country: 'US',
    lang: 'en-US',
  });
  expect(reply.apps[0]?.app_title).toBe('Title of 1001');
  expect(ranks(reply)).toEqual([
    [
      appId,
      [
        ['2026-03-10', 2],
        ['2026-03-11', null],
        ['2026-03-13', 1],
      ],
    ],
  ]);
});

test('days whose snapshot has fewer than a hundred results are listed with their depth', async () => {
  const { client, tracking, request, appId } = await startWithHistory();
  expect((await client.getRankHistory(request)).shallow_snapshots).toEqual([
    { date: '2026-03-10', depth: 2 },
    { date: '2026-03-11', depth: 2 },
    { date: '2026-03-13', depth: 1 },
  ]);
  tracking.store.setFullPage('a whole page');
  const deep = await trackKeyword(tracking, 'ann', appId, 'a whole page');
  const reply = await client.getRankHistory({ ...request, keyword_id: deep });
  expect(reply.shallow_snapshots).toEqual([]);
  expect(reply.apps[0]?.history).toHaveLength(1);
});

test.each([
  ['2026-03-11', '2026-03-13', ['2026-03-11', '2026-03-13']],
  ['2026-03-11', '2026-03-11', ['2026-03-11']],
  ['2026-03-12', '2026-03-12', []],
  ['2025-02-06', '2026-03-12', ['2026-03-10', '2026-03-11']],
])('the window from %s to %s includes both days', async (from, to, days) => {
  const { client, request } = await startWithHistory();
  const [app] = (await client.getRankHistory({ ...request, from, to })).apps;
  expect(app?.history.map(({ date }) => date)).toEqual(days);
});

test('the history includes every app that ever tracked the keyword, also removed ones', async () => {
  const { client, tracking, request, appId, keywordId } = await startWithHistory();
  const second = await trackApp(tracking, 'ann', '9');
  await trackKeywords(tracking, 'ann', second, ['camera']);
  await client.untrackKeyword({ account_id: 'ann', app_id: appId, keyword_id: keywordId });
  await client.untrackApplication({ account_id: 'ann', id: second });
  const reply = await client.getRankHistory(request);
  expect(reply.apps.map((app) => app.app_id)).toEqual([appId, second]);
  const only = await client.getRankHistory({ ...request, app_id: second });
  expect(only.apps.map((app) => app.app_id)).toEqual([second]);
});

test('a keyword that the account never tracked, or an app that it was not tracked for, is not found', async () => {
  const { client, request } = await startWithHistory();
  for (const wrong of [{ account_id: 'bob' }, { keyword_id: 999 }])
    expect(await codeOf(client.getRankHistory({ ...request, ...wrong }))).toBe('NOT_FOUND');
  expect(await codeOf(client.getRankHistory({ ...request, app_id: 999 }))).toBe('APP_NOT_FOUND');
});

test('a competitor has its rank of every day with a snapshot, also from before it was added', async () => {
  const { client, tracking, request, appId } = await startWithHistory();
  const { competitor_id: competitorId } = await trackCompetitor(tracking, 'ann', appId, '9');
  const reply = await client.getRankHistory({ ...request, app_id: competitorId });
  expect(reply.apps[0]?.app_title).toBe('Title of 9');
  expect(ranks(reply)).toEqual([
    [
      competitorId,
      [
        ['2026-03-10', 1],
        ['2026-03-11', 1],
        ['2026-03-13', null],
      ],
    ],
  ]);
});

test('without an app id the history contains the account’s own applications only', async () => {
  const { client, tracking, request, appId } = await startWithHistory();
  await trackCompetitor(tracking, 'ann', appId, '9');
  const reply = await client.getRankHistory(request);
  expect(reply.apps.map((app) => app.app_id)).toEqual([appId]);
});

test('a removed keyword still has the history of a competitor', async () => {
  const { client, tracking, request, appId, keywordId } = await startWithHistory();
  const { competitor_id: competitorId } = await trackCompetitor(tracking, 'ann', appId, '9');
  await client.untrackKeyword({ account_id: 'ann', app_id: appId, keyword_id: keywordId });
  const reply = await client.getRankHistory({ ...request, app_id: competitorId });
  expect(reply.apps[0]?.history).toHaveLength(3);
});

test('a removed competitor, one of an app without the keyword, and one of another account are not found', async () => {
  const { client, tracking, request, appId } = await startWithHistory();
  const expectNotFound = (id: number) =>
    expect(client.getRankHistory({ ...request, app_id: id })).rejects.toMatchObject({
      code: 'APP_NOT_FOUND',
    });
  const without = await trackApp(tracking, 'ann', '7');
  await expectNotFound((await trackCompetitor(tracking, 'ann', without, '6')).competitor_id);
  const bobs = await trackApp(tracking, 'bob');
  await expectNotFound((await trackCompetitor(tracking, 'bob', bobs, '9')).competitor_id);

  const removed = await trackCompetitor(tracking, 'ann', appId, '8');
  await client.untrackCompetitor({ account_id: 'ann', id: removed.id });
  await expectNotFound(removed.competitor_id);
  const { competitor_id: competitorId } = await trackCompetitor(tracking, 'ann', appId, '5');
  await client.untrackApplication({ account_id: 'ann', id: appId });
  await expectNotFound(competitorId);
});

test.each(['keyword_markets', 'listings'])(
  'when %s cannot be read, the answer is an error',
  async (collection) => {
    const { client, tracking, request } = await startWithHistory();
    await tracking.connection.collection(collection).deleteMany({});
    expect(await codeOf(client.getRankHistory(request))).toBe('INTERNAL_ERROR');
  },
);
