import { daysBefore } from '@shelfwise/runtime/day';
import { codeOf } from '../../../testing/call-within.ts';
import { recordCommands } from '../../../testing/record-commands.ts';
import { seedKeywords } from './seed-keywords.ts';
import { createHarness, type Tracking, trackApp, trackKeyword, trackKeywords } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });
const march = { from: '2026-03-01', to: '2026-03-31' };

async function start() {
  const tracking = await startTracking();
  tracking.clock.at = new Date('2026-03-05T12:00:00Z');
  const appId = await trackApp(tracking, 'ann');
  const getDistribution = (change: object = {}) =>
    tracking.client.getRankDistribution({ account_id: 'ann', app_id: appId, ...march, ...change });
  return { tracking, appId, getDistribution };
}

/** Another account has the page of a keyword read on a day. */
async function readPage(tracking: Tracking, day: string, keyword: string, page: string[]) {
  tracking.clock.at = new Date(`${day}T12:00:00Z`);
  tracking.store.setPage(keyword, page);
  const reader = `reader of ${day}`;
  await trackKeyword(tracking, reader, await trackApp(tracking, reader, '2002'), keyword);
}

async function setTraffic(tracking: Tracking, keywordId: number, traffic: number) {
  await tracking.connection
    .collection<{ _id: number }>('keyword_markets')
    .updateOne({ _id: keywordId }, { $set: { scores: { traffic, difficulty: null } } });
}

/** A day without ranks; what a test expects is written over it. */
const none = {
  rank_1: 0,
  rank_2_3: 0,
  rank_4_10: 0,
  rank_11_30: 0,
  rank_31_100: 0,
  not_ranked: 0,
  unread: 0,
  traffic_share: null,
};

test('each day counts where its tracked keywords ranked; a day before a keyword was tracked does not count', async () => {
  const { tracking, appId, getDistribution } = await start();
  await readPage(tracking, '2026-03-07', 'camera', ['1001']);
  await readPage(tracking, '2026-03-08', 'camera', ['9', '1001']);
  await trackKeyword(tracking, 'ann', appId, 'camera');
  await readPage(tracking, '2026-03-09', 'camera', ['1001']);
  tracking.store.setPage('photo', ['9']);
  await trackKeyword(tracking, 'ann', appId, 'photo');
  expect(await getDistribution({ to: '2026-03-10' })).toEqual({
    app_title: 'Title of 1001',
    history: [
      { ...none, date: '2026-03-08', tracked: 1, rank_2_3: 1 },
      { ...none, date: '2026-03-09', tracked: 2, rank_1: 1, not_ranked: 1 },
      { ...none, date: '2026-03-10', tracked: 2, unread: 2 },
    ],
  });
  expect((await getDistribution({ from: '2026-03-09', to: '2026-03-09' })).history).toEqual([
    { ...none, date: '2026-03-09', tracked: 2, rank_1: 1, not_ranked: 1 },
  ]);
  expect((await getDistribution({ to: '2026-03-07' })).history).toEqual([]);
});

test('the share of the traffic in the top 10 is by today’s scores; an unknown score is left out', async () => {
  const { tracking, appId, getDistribution } = await start();
  tracking.store.setPage('camera', ['1001']);
  const ids = await trackKeywords(tracking, 'ann', appId, ['camera', 'photo', 'unscored']);
  await setTraffic(tracking, ids.get('camera') ?? 0, 60);
  await setTraffic(tracking, ids.get('photo') ?? 0, 20);
  await readPage(tracking, '2026-03-06', 'camera', ['1001']);
  const { history } = await getDistribution({ to: '2026-03-06' });
  // On the second day only three quarters of the traffic were read.
  expect(history.map(({ traffic_share }) => traffic_share)).toEqual([0.75, null]);
});

test('a removed keyword counts until the day before its removal, one that is tracked again from that day', async () => {
  const { tracking, appId, getDistribution } = await start();
  const camera = await trackKeyword(tracking, 'ann', appId, 'camera');
  const photo = await trackKeyword(tracking, 'ann', appId, 'photo');
  tracking.clock.at = new Date('2026-03-08T12:00:00Z');
  for (const keywordId of [camera, photo])
    await tracking.client.untrackKeyword({ account_id: 'ann', app_id: appId, keyword_id: keywordId });
  tracking.clock.at = new Date('2026-03-09T12:00:00Z');
  await trackKeyword(tracking, 'ann', appId, 'photo');
  const days = (await getDistribution({ to: '2026-03-09' })).history.map((day) => [day.date, day.tracked]);
  expect(days).toEqual([
    ['2026-03-05', 1],
    ['2026-03-06', 1],
    ['2026-03-07', 1],
    ['2026-03-09', 1],
  ]);
});

test('the number of queries does not depend on the number of keywords', async () => {
  const queriesFor = async (count: number) => {
    const { tracking, appId, getDistribution } = await start();
    await seedKeywords(
      tracking,
      'ann',
      appId,
      Array.from({ length: count }, (_, index) => `keyword ${index}`),
    );
    const commands = recordCommands(tracking.connection);
    expect((await getDistribution()).history[0]).toMatchObject({ tracked: count, unread: 0 });
    return commands.filter((command) => /^(find|getMore|aggregate) /.test(command)).sort();
  };
  const queries = ['keyword_markets', 'listings', 'snapshots', 'tracked_apps', 'tracked_keywords'];
  expect(await queriesFor(1)).toEqual(queries.map((collection) => `find ${collection}`));
  expect(await queriesFor(60)).toEqual(queries.map((collection) => `find ${collection}`));
});

test('more than 40,000 pages are refused, and a shorter window is not', async () => {
  const { tracking, appId, getDistribution } = await start();
  tracking.clock.at = new Date('2026-01-01T12:00:00Z');
  const keywords = Array.from({ length: 101 }, (_, index) => `keyword ${index}`);
  await seedKeywords(tracking, 'ann', appId, keywords);
  const to = '2027-02-04';
  // From the first tracked day on: the start of the window is earlier.
  const window = (days: number) => ({ from: daysBefore(to, days - 1), to });
  const tooLong = getDistribution(window(400));
  await expect(tooLong).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  await expect(tooLong).rejects.toThrow('101 keywords times 400 days are more than 40000');
  expect((await getDistribution(window(396))).history).toHaveLength(396);
  const early = { from: daysBefore('2026-01-02', 399), to: '2026-01-02' };
  expect((await getDistribution(early)).history).toMatchObject([{ tracked: 101 }, { unread: 101 }]);
});

test('an app of another account, or one that is not tracked, is not found', async () => {
  const { tracking, appId, getDistribution } = await start();
  for (const wrong of [{ account_id: 'bob' }, { app_id: 999 }])
    expect(await codeOf(getDistribution(wrong))).toBe('APP_NOT_FOUND');
  await tracking.client.untrackApplication({ account_id: 'ann', id: appId });
  expect(await codeOf(getDistribution())).toBe('APP_NOT_FOUND');
});
