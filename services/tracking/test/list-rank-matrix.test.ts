import type { ListRankMatrixReply, ListRankMatrixRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { codeOf } from '../../../testing/call-within.ts';
import { recordCommands } from '../../../testing/record-commands.ts';
import { createHarness, type Tracking, trackApp, trackCompetitor, trackKeywords } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

/** Another account has the page of each keyword read on a day. */
async function readPages(tracking: Tracking, day: string, pages: Record<string, string[]>) {
  tracking.clock.at = new Date(`${day}T12:00:00Z`);
  for (const [keyword, page] of Object.entries(pages)) tracking.store.setPage(keyword, page);
  const reader = `reader of ${day}`;
  await trackKeywords(tracking, reader, await trackApp(tracking, reader, '2002'), Object.keys(pages));
}

/** Ann tracks app 1001 for three keywords, with the competitors 7, 8 and 9, of which 9 was added last. */
async function start() {
  const tracking = await startTracking();
  await readPages(tracking, '2026-03-03', { camera: ['9', '7', '1001'], lens: ['1001', '9'] });
  await readPages(tracking, '2026-03-09', { camera: ['1001'], lens: ['9'], photo: ['7', '9'] });
  await readPages(tracking, '2026-03-10', { camera: ['1001', '9'], lens: ['8', '9'], photo: ['7', '1001'] });
  const appId = await trackApp(tracking, 'ann');
  await trackKeywords(tracking, 'ann', appId, ['camera', 'lens', 'photo']);
  const competitors: number[] = [];
  for (const competitor of ['7', '8', '9']) {
    tracking.clock.at = new Date(tracking.clock.at.getTime() + 1000);
    competitors.push((await trackCompetitor(tracking, 'ann', appId, competitor)).id);
  }
  const list = (change: Partial<ListRankMatrixRequest> = {}) =>
    tracking.client.listRankMatrix({
      account_id: 'ann',
      app_id: appId,
      favorites_only: false,
      page: 1,
      per_page: 1000,
      oldest_day: '2025-02-05',
      days: 7,
      competitor_ids: [],
      ...change,
    });
  return { tracking, appId, competitors, list };
}

const ranksOf = ({ rows }: ListRankMatrixReply) =>
  Object.fromEntries(
    rows.map(({ keyword, ranks }) => [keyword, ranks.map(({ rank, delta }) => [rank, delta])]),
  );

test('each keyword has the latest rank of each app, and the difference to the day exactly so many days before', async () => {
  const { list, competitors } = await start();
  const reply = await list();
  expect(reply.apps).toEqual([
    { app_id: '1001', title: 'Title of 1001', competitor_id: null },
    { app_id: '9', title: 'Title of 9', competitor_id: competitors[2] },
    { app_id: '8', title: 'Title of 8', competitor_id: competitors[1] },
    { app_id: '7', title: 'Title of 7', competitor_id: competitors[0] },
  ]);
  expect(ranksOf(reply)).toEqual({
    camera: [
      [1, 2],
      [2, -1],
      [null, null],
      [null, null],
    ],
    lens: [
      [null, null],
      [2, 0],
      [1, null],
      [null, null],
    ],
    // Its page of that day was not read.
    photo: [
      [2, null],
      [null, null],
      [null, null],
      [1, null],
    ],
  });
  expect(reply.rows[0]).toMatchObject({ keyword: 'camera', rank_date: '2026-03-10', depth: 2 });
  // The day before was read; two days before was not.
  expect(ranksOf(await list({ days: 1 })).photo?.[3]).toEqual([1, 0]);
  expect(ranksOf(await list({ days: 2 })).photo?.[3]).toEqual([1, null]);
});

test('a row has the scores of its keyword, and says whether the traffic is partial', async () => {
  const { tracking, list } = await start();
  const scoresOf = async () =>
    (await list()).rows.map((row) => [
      row.keyword,
      row.traffic_score ?? null,
      row.difficulty_score ?? null,
      row.is_partial,
    ]);
  expect((await scoresOf())[0]).toEqual(['camera', null, null, false]);
  await tracking.connection
    .collection('keyword_markets')
    .updateOne({ keyword: 'camera' }, { $set: { scores: { traffic: 7, difficulty: 30, is_partial: true } } });
  expect((await scoresOf()).slice(0, 2)).toEqual([
    ['camera', 7, 30, true],
    ['lens', null, null, false],
  ]);
});

test('a day before the history of the plan is not compared with', async () => {
  const { list } = await start();
  expect(ranksOf(await list({ oldest_day: '2026-03-03' })).camera?.[0]).toEqual([1, 2]);
  expect(ranksOf(await list({ oldest_day: '2026-03-04' })).camera?.[0]).toEqual([1, null]);
});

test('the named competitors are compared, in the order sent', async () => {
  const { list, competitors } = await start();
  const [seven = 0, , nine = 0] = competitors;
  const { apps } = await list({ competitor_ids: [seven, nine] });
  expect(apps.map((app) => app.app_id)).toEqual(['1001', '7', '9']);
});

test('a competitor of another application or account is refused', async () => {
  const { tracking, list } = await start();
  const other = await trackApp(tracking, 'ann', '3003');
  const { id } = await trackCompetitor(tracking, 'ann', other, '7');
  expect(await codeOf(list({ competitor_ids: [id] }))).toBe('NOT_FOUND');
  const ofBob = await trackApp(tracking, 'bob');
  const { id: bobs } = await trackCompetitor(tracking, 'bob', ofBob, '7');
  expect(await codeOf(list({ competitor_ids: [bobs] }))).toBe('NOT_FOUND');
  expect(await codeOf(list({ account_id: 'bob' }))).toBe('OK');
  expect(await codeOf(list({ account_id: 'eve' }))).toBe('APP_NOT_FOUND');
});

test('rows are narrowed, ordered and paged as in the list of keywords; delta is the one of the application', async () => {
  const { list } = await start();
  const names = async (change: Partial<ListRankMatrixRequest>) => {
    const { rows, total } = await list(change);
    return [rows.map(({ keyword }) => keyword), total];
  };
  expect(await names({ per_page: 2 })).toEqual([['camera', 'lens'], 3]);
  expect(await names({ per_page: 2, page: 2 })).toEqual([['photo'], 3]);
  expect(await names({ search: 'A' })).toEqual([['camera'], 1]);
  expect(await names({ order: { field: 'RANK', descending: true } })).toEqual([
    ['photo', 'camera', 'lens'],
    3,
  ]);
  // Only camera has both days.
  expect(await names({ order: { field: 'DELTA', descending: true } })).toEqual([
    ['camera', 'lens', 'photo'],
    3,
  ]);
  // Compared with the day before, photo has none: the app entered. With two days before, none has one.
  expect(await names({ order: { field: 'DELTA', descending: false }, days: 1 })).toEqual([
    ['camera', 'lens', 'photo'],
    3,
  ]);
});

test('the number of commands does not grow with the rows and apps', async () => {
  const { tracking, list, competitors } = await start();
  const count = async (change: Partial<ListRankMatrixRequest>) => {
    const commands = recordCommands(tracking.connection);
    await list(change);
    return [...commands].sort();
  };
  const one = await count({ per_page: 1, page: 3, competitor_ids: competitors.slice(0, 1) });
  expect(await count({})).toEqual(one);
  expect(one).toEqual([
    'find competitors',
    'find keyword_markets',
    'find listings',
    'find snapshots',
    'find tracked_apps',
    'find tracked_keywords',
  ]);
});
