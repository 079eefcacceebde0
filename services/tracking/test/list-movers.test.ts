import type { ListMoversRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { codeOf } from '../../../testing/call-within.ts';
import { recordCommands } from '../../../testing/record-commands.ts';
import { createHarness, type Tracking, trackApp, trackKeywords } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

const fillers = (count: number) => Array.from({ length: count }, (_, index) => `filler${index}`);
/** A result page on which app 1001 has this rank; without a rank, it has 100 results of other apps. */
const pageWith = (rank: number | null) =>
  rank === null ? fillers(100) : [...fillers(rank - 1), '1001', ...fillers(100).slice(rank)];

/** Takes a snapshot of each keyword on a day, for another account, so that ann's own keywords are not affected. */
async function takeSnapshots(tracking: Tracking, day: string, pages: Record<string, string[]>) {
  tracking.clock.at = new Date(`${day}T12:00:00Z`);
  for (const [keyword, page] of Object.entries(pages)) tracking.store.setPage(keyword, page);
  const reader = `reader of ${day}`;
  const appId = await trackApp(tracking, reader, '2002');
  await trackKeywords(tracking, reader, appId, Object.keys(pages));
}

/** Ann tracks app 1001 for the keywords on the last day. */
async function startWithSnapshots(days: Record<string, Record<string, string[]>>, keywords: string[]) {
  const tracking = await startTracking();
  for (const [day, pages] of Object.entries(days)) await takeSnapshots(tracking, day, pages);
  const appId = await trackApp(tracking, 'ann');
  const ids =
    keywords.length === 0 ? new Map<string, number>() : await trackKeywords(tracking, 'ann', appId, keywords);
  const listMovers = (request: Partial<ListMoversRequest> = {}) =>
    tracking.client.listMovers({
      account_id: 'ann',
      app_id: appId,
      days: 7,
      oldest_day: '2025-02-05',
      page: 1,
      per_page: 50,
      ...request,
    });
  return { tracking, appId, ids, listMovers };
}

test('each keyword moves from its snapshot of a week ago to its latest one, biggest movement first', async () => {
  const pages = (ranks: Record<string, number | null>) =>
    Object.fromEntries(Object.entries(ranks).map(([keyword, rank]) => [keyword, pageWith(rank)]));
  const before = pages({ up: 9, down: 4, same: 5, entered: null, left: 98, never: null });
  const now = pages({ up: 4, down: 10, same: 5, entered: 60, left: null, never: null });
  const { listMovers, ids } = await startWithSnapshots(
    { '2026-03-03': before, '2026-03-10': now },
    Object.keys(now),
  );
  const { movers, totals, unread } = await listMovers();
  expect(movers.map((row) => [row.keyword, row.rank_before, row.rank_now, row.delta, row.status])).toEqual([
    ['entered', null, 60, null, 'ENTERED'],
    ['down', 4, 10, -6, 'DOWN'],
    ['up', 9, 4, 5, 'UP'],
    ['left', 98, null, null, 'LEFT'],
    ['never', null, null, null, 'SAME'],
    ['same', 5, 5, 0, 'SAME'],
  ]);
  expect(movers[0]).toMatchObject({
    keyword_id: ids.get('entered'),
    from_date: '2026-03-03',
    to_date: '2026-03-10',
    from_depth: 100,
    to_depth: 100,
  });
  expect(totals).toEqual({ up: 1, down: 1, same: 2, entered: 1, left: 1 });
  expect(unread).toBe(0);
});

test('without a snapshot of exactly that day, the newest earlier one counts, back to the oldest day', async () => {
  const { listMovers } = await startWithSnapshots(
    {
      '2025-02-04': { old: pageWith(40), 'too old': pageWith(1) },
      '2025-02-05': { old: pageWith(30) },
      '2026-02-20': { gap: pageWith(20) },
      '2026-02-28': { gap: pageWith(10) },
      '2026-03-05': { gap: pageWith(1), old: pageWith(1) },
      '2026-03-11': { gap: pageWith(2), old: pageWith(2) },
      '2026-03-12': { gap: pageWith(3), old: pageWith(3), 'too old': pageWith(3) },
    },
    ['gap', 'old', 'too old'],
  );
  const rows = async (days: number) =>
    (await listMovers({ days })).movers.map((row) => [row.keyword, row.from_date, row.rank_before]);
  expect(await rows(1)).toEqual([
    ['gap', '2026-03-11', 2],
    ['old', '2026-03-11', 2],
  ]);
  expect(await rows(7)).toEqual([
    ['gap', '2026-03-05', 1],
    ['old', '2026-03-05', 1],
  ]);
  // 400 days before the latest snapshot.
  expect(await rows(30)).toEqual([['old', '2025-02-05', 30]]);
});

test('the snapshots of a keyword that has none before its first day are not looked for', async () => {
  const { listMovers, tracking } = await startWithSnapshots({ '2026-03-10': { fresh: pageWith(3) } }, [
    'fresh',
  ]);
  const commands = recordCommands(tracking.connection);
  expect(await listMovers()).toMatchObject({ movers: [], unread: 1 });
  expect(commands).toContain('find keyword_markets');
  expect(commands).not.toContain('find snapshots');
});

test('each keyword is compared with its own latest snapshot', async () => {
  const { listMovers, tracking } = await startWithSnapshots(
    {
      '2026-03-01': { early: pageWith(9), late: pageWith(50) },
      '2026-03-04': { late: pageWith(8) },
      '2026-03-08': { early: pageWith(3), late: pageWith(51) },
    },
    ['early', 'late'],
  );
  await takeSnapshots(tracking, '2026-03-11', { late: pageWith(4) });
  const { movers } = await listMovers();
  expect(movers.map((row) => [row.keyword, row.from_date, row.to_date, row.delta])).toEqual([
    ['early', '2026-03-01', '2026-03-08', 6],
    ['late', '2026-03-04', '2026-03-11', 4],
  ]);
});

test('a keyword without both snapshots, or with an earlier one than allowed, is counted and not shown', async () => {
  const { listMovers } = await startWithSnapshots(
    {
      '2026-03-02': { known: pageWith(9) },
      '2026-03-10': { known: pageWith(3), fresh: pageWith(3) },
    },
    ['known', 'fresh'],
  );
  expect(await listMovers()).toMatchObject({ movers: [{ keyword: 'known' }], unread: 1 });
  expect(await listMovers({ oldest_day: '2026-03-02' })).toMatchObject({ unread: 1 });
  expect(await listMovers({ oldest_day: '2026-03-03' })).toMatchObject({ movers: [], unread: 2 });
  expect(await listMovers({ oldest_day: '2026-03-04' })).toMatchObject({ movers: [], unread: 2 });
});

test('the depth says that a snapshot has fewer than a hundred results', async () => {
  const { listMovers } = await startWithSnapshots(
    { '2026-03-03': { camera: pageWith(45) }, '2026-03-10': { camera: fillers(30) } },
    ['camera'],
  );
  expect((await listMovers()).movers).toMatchObject([{ status: 'LEFT', from_depth: 100, to_depth: 30 }]);
});

test('pages follow each other without a gap or an overlap; totals are those of all pages', async () => {
  const keywords = ['a1', 'a2', 'a3', 'a4', 'a5'];
  const pages = (rank: number) => Object.fromEntries(keywords.map((keyword) => [keyword, pageWith(rank)]));
  const { listMovers } = await startWithSnapshots(
    { '2026-03-03': pages(9), '2026-03-10': pages(4) },
    [...keywords].reverse(),
  );
  const found: string[] = [];
  for (const page of [1, 2, 3, 4]) {
    const { movers, totals } = await listMovers({ page, per_page: 2 });
    found.push(...movers.map(({ keyword }) => keyword));
    expect(totals?.up).toBe(5);
  }
  expect(found).toEqual(keywords);
});

test('the number of queries does not depend on the number of keywords', async () => {
  const queriesFor = async (count: number) => {
    const keywords = Array.from({ length: count }, (_, index) => `keyword ${index}`);
    const pages = Object.fromEntries(keywords.map((keyword) => [keyword, pageWith(5)]));
    const { listMovers, tracking } = await startWithSnapshots(
      { '2026-03-03': pages, '2026-03-10': pages },
      keywords,
    );
    const queries: string[] = [];
    tracking.connection.set('debug', (collection: string, method: string, filter: object) => {
      const isOfRelay = 'outbox_since' in filter;
      if (!isOfRelay) queries.push(`${collection}.${method}`);
    });
    expect((await listMovers()).movers).toHaveLength(count);
    tracking.connection.set('debug', false);
    return queries.sort();
  };
  const queries = [
    'keyword_markets.find',
    'listings.find',
    'snapshots.find',
    'tracked_apps.find',
    'tracked_keywords.find',
  ];
  expect(await queriesFor(1)).toEqual(queries);
  expect(await queriesFor(20)).toEqual(queries);
});

test('an app of another account, or one that is not tracked, is not found', async () => {
  const { listMovers } = await startWithSnapshots({}, []);
  for (const wrong of [{ account_id: 'bob' }, { app_id: 999 }])
    expect(await codeOf(listMovers(wrong))).toBe('APP_NOT_FOUND');
});

test('all keywords are counted by where the app ranks on the newest day, as the distribution of that day', async () => {
  const { listMovers, tracking, appId } = await startWithSnapshots(
    {
      '2026-03-03': { first: pageWith(9), tenth: pageWith(3) },
      '2026-03-09': { first: pageWith(1), tenth: pageWith(10), gone: pageWith(null), late: pageWith(5) },
    },
    ['first', 'tenth', 'gone', 'late'],
  );
  await takeSnapshots(tracking, '2026-03-10', {
    first: pageWith(1),
    tenth: pageWith(10),
    gone: pageWith(null),
  });
  // The page of movers does not narrow it.
  const { latest } = await listMovers({ per_page: 1, days: 30 });
  expect(latest).toMatchObject({
    date: '2026-03-10',
    tracked: 4,
    rank_1: 1,
    rank_4_10: 1,
    not_ranked: 1,
    unread: 1,
  });
  const day = { from: '2026-03-10', to: '2026-03-10' };
  const { history } = await tracking.client.getRankDistribution({
    account_id: 'ann',
    app_id: appId,
    ...day,
  });
  expect(history).toEqual([latest]);
});

test('on request the keywords that bring most are listed, with the rank that each had before', async () => {
  const { listMovers, tracking, ids } = await startWithSnapshots(
    {
      '2026-03-03': { most: pageWith(9), left: pageWith(2), entered: pageWith(null) },
      '2026-03-10': {
        most: pageWith(4),
        left: pageWith(null),
        entered: pageWith(10),
        fresh: pageWith(1),
        deep: pageWith(11),
        unscored: pageWith(1),
      },
    },
    ['most', 'left', 'entered', 'fresh', 'deep', 'unscored'],
  );
  const traffic = { most: 70, left: 90, entered: 50, fresh: 0, deep: 90 };
  for (const [keyword, score] of Object.entries(traffic))
    await tracking.connection
      .collection('keyword_markets')
      .updateOne({ keyword }, { $set: { scores: { traffic: score, is_partial: keyword === 'fresh' } } });
  const commands = recordCommands(tracking.connection);
  await listMovers();
  const without = commands.splice(0).toSorted();
  const { top } = await listMovers({ top: 20, per_page: 1 });
  expect(commands.toSorted()).toEqual(without);
  const latest = { rank_date: '2026-03-10', is_partial: false };
  expect(top?.keywords).toEqual([
    {
      ...latest,
      keyword_id: ids.get('most'),
      keyword: 'most',
      traffic_score: 70,
      rank: 4,
      from_date: '2026-03-03',
      rank_before: 9,
    },
    {
      ...latest,
      keyword_id: ids.get('entered'),
      keyword: 'entered',
      traffic_score: 50,
      rank: 10,
      from_date: '2026-03-03',
      rank_before: null,
    },
    {
      ...latest,
      keyword_id: ids.get('fresh'),
      keyword: 'fresh',
      traffic_score: 0,
      is_partial: true,
      rank: 1,
      from_date: null,
      rank_before: null,
    },
  ]);
  expect((await listMovers({ top: 1 })).top?.keywords).toHaveLength(1);
  for (const wrong of [0, 21]) expect(await codeOf(listMovers({ top: wrong }))).toBe('INVALID_PARAMS');
});

test('an app without keywords has no movers', async () => {
  const { listMovers } = await startWithSnapshots({}, []);
  expect(await listMovers()).toEqual({
    movers: [],
    totals: { up: 0, down: 0, same: 0, entered: 0, left: 0 },
    unread: 0,
    latest: null,
    top: null,
  });
  expect(await listMovers({ top: 20 })).toMatchObject({ top: { keywords: [] } });
});
