import type { ListRankHistoriesReply, ListRankHistoriesRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { daysBefore } from '@shelfwise/runtime/day';
import { codeOf } from '../../../testing/call-within.ts';
import { recordCommands } from '../../../testing/record-commands.ts';
import { seedKeywords } from './seed-keywords.ts';
import { createHarness, trackApp, trackCompetitor, trackKeyword, trackKeywords } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

/** App 1001 with snapshots of camera on March 10 (rank 2), 11 (not ranked) and 13 (rank 1), and of photo on the 13th. */
async function start() {
  const tracking = await startTracking();
  const { client, clock, store } = tracking;
  const pages: [string, string[]][] = [
    ['2026-03-10', ['9', '1001']],
    ['2026-03-11', ['9', '8', '7']],
  ];
  for (const [day, page] of pages) {
    clock.at = new Date(`${day}T12:00:00Z`);
    store.setPage('camera', page);
    const reader = `reader of ${day}`;
    await trackKeyword(tracking, reader, await trackApp(tracking, reader, '2002'), 'camera');
  }
  clock.at = new Date('2026-03-13T12:00:00Z');
  store.setPage('camera', ['1001']);
  store.setFullPage('photo');
  const appId = await trackApp(tracking, 'ann');
  const ids = await trackKeywords(tracking, 'ann', appId, ['camera', 'photo']);
  const list = (change: Partial<ListRankHistoriesRequest> = {}) =>
    client.listRankHistories({
      account_id: 'ann',
      app_id: appId,
      keyword_ids: [],
      page: 1,
      per_page: 100,
      from: '2026-03-01',
      to: '2026-03-31',
      competitors: false,
      ...change,
    });
  return { tracking, appId, list, camera: ids.get('camera') ?? 0, photo: ids.get('photo') ?? 0 };
}

const namesOf = ({ keywords }: ListRankHistoriesReply) => keywords.map(({ keyword }) => keyword);

test('each keyword has the ranks of the app; a day without a snapshot has no row', async () => {
  const { list, camera, photo } = await start();
  const own = { app_id: '1001', title: 'Title of 1001', is_own: true };
  expect(await list()).toEqual({
    keywords: [
      {
        keyword_id: camera,
        keyword: 'camera',
        apps: [
          {
            ...own,
            history: [
              { date: '2026-03-10', rank: 2 },
              { date: '2026-03-11', rank: null },
              { date: '2026-03-13', rank: 1 },
            ],
          },
        ],
        least_depth: 1,
      },
      {
        keyword_id: photo,
        keyword: 'photo',
        apps: [{ ...own, history: [{ date: '2026-03-13', rank: null }] }],
        least_depth: 100,
      },
    ],
    total: 2,
  });
  const { keywords } = await list({ from: '2026-03-11', to: '2026-03-12' });
  expect(keywords).toMatchObject([
    { apps: [{ history: [{ date: '2026-03-11' }] }], least_depth: 3 },
    { apps: [{ history: [] }], least_depth: null },
  ]);
});

test('the keywords are those of the list, in its order and in pages', async () => {
  const { tracking, appId, list, photo } = await start();
  await trackKeyword(tracking, 'ann', await trackApp(tracking, 'ann', '7'), 'of another app');
  await tracking.client.setKeywordFavorite({
    account_id: 'ann',
    app_id: appId,
    keyword_id: photo,
    is_favorite: true,
  });
  expect(namesOf(await list())).toEqual(['photo', 'camera']);
  for (const [page, expected] of [['photo'], ['camera'], []].entries()) {
    const reply = await list({ page: page + 1, per_page: 1 });
    expect([namesOf(reply), reply.total]).toEqual([expected, 2]);
  }
});

test('keywords that are named come in the order sent, also removed ones', async () => {
  const { tracking, appId, list, camera, photo } = await start();
  await tracking.client.untrackKeyword({ account_id: 'ann', app_id: appId, keyword_id: camera });
  expect(namesOf(await list())).toEqual(['photo']);
  const both = await list({ keyword_ids: [photo, camera] });
  expect([namesOf(both), both.total]).toEqual([['photo', 'camera'], 2]);
  expect(both.keywords[1]?.apps[0]?.history).toHaveLength(3);
  expect(namesOf(await list({ keyword_ids: [photo, camera], page: 2, per_page: 1 }))).toEqual(['camera']);
});

test('a keyword that was never tracked for the app is not found', async () => {
  const { tracking, list, camera } = await start();
  const other = await trackKeyword(tracking, 'ann', await trackApp(tracking, 'ann', '7'), 'of another app');
  for (const id of [999, other]) {
    const call = list({ keyword_ids: [camera, id] });
    expect(await codeOf(call)).toBe('NOT_FOUND');
    await expect(call).rejects.toThrow(`never tracked the keyword ${id} for that application`);
  }
});

test('competitors follow the app, each with its own ranks', async () => {
  const { tracking, appId, list, camera } = await start();
  await trackCompetitor(tracking, 'ann', appId, '9');
  const removed = await trackCompetitor(tracking, 'ann', appId, '8');
  await tracking.client.untrackCompetitor({ account_id: 'ann', id: removed.id });
  const { keywords } = await list({ keyword_ids: [camera], competitors: true });
  const ranks = keywords[0]?.apps.map((app) => [app.app_id, app.is_own, app.history.map(({ rank }) => rank)]);
  expect(ranks).toEqual([
    ['1001', true, [2, null, 1]],
    ['9', false, [1, 1, null]],
  ]);
  expect(keywords[0]?.apps[1]?.title).toBe('Title of 9');
});

test('more than 40,000 points are refused', async () => {
  const { tracking, appId, list } = await start();
  const keywords = Array.from({ length: 98 }, (_, index) => `keyword ${index}`);
  await seedKeywords(tracking, 'ann', appId, keywords);
  await trackCompetitor(tracking, 'ann', appId, '9');
  const to = '2026-03-31';
  const year = { from: daysBefore(to, 399), to };
  expect((await list(year)).keywords).toHaveLength(100);
  const tooMany = list({ ...year, competitors: true });
  expect(await codeOf(tooMany)).toBe('INVALID_PARAMS');
  await expect(tooMany).rejects.toThrow(
    '100 keywords times 400 days times 2 apps are more than 40000 points',
  );
  expect((await list({ ...year, competitors: true, per_page: 50 })).keywords).toHaveLength(50);
});

test('the number of queries does not depend on the number of keywords and competitors', async () => {
  const { tracking, appId, list } = await start();
  await trackCompetitor(tracking, 'ann', appId, '9');
  const commands = recordCommands(tracking.connection);
  const queriesOf = async (change: Partial<ListRankHistoriesRequest>) => {
    commands.length = 0;
    await list({ competitors: true, ...change });
    return commands.filter((command) => /^(find|getMore|aggregate) /.test(command)).sort();
  };
  const collections = ['competitors', 'listings', 'snapshots', 'tracked_apps', 'tracked_keywords'];
  const queries = collections.map((collection) => `find ${collection}`);
  expect(await queriesOf({})).toEqual(queries);
  expect(await queriesOf({ per_page: 1 })).toEqual(['aggregate tracked_keywords', ...queries]);
  await trackCompetitor(tracking, 'ann', appId, '8');
  await seedKeywords(
    tracking,
    'ann',
    appId,
    Array.from({ length: 60 }, (_, index) => `keyword ${index}`),
  );
  expect(await queriesOf({})).toEqual(queries);
});

test('an app of another account, or one that is not tracked, is not found', async () => {
  const { list } = await start();
  for (const wrong of [{ account_id: 'bob' }, { app_id: 999 }])
    expect(await codeOf(list(wrong))).toBe('APP_NOT_FOUND');
});
