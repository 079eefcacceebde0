import { codeOf } from '../../../testing/call-within.ts';
import { recordCommands } from '../../../testing/record-commands.ts';
import { createHarness, trackApp, trackKeywords, us } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });
const request = { account_id: 'ann', storefront: us, keyword: 'camera' };

test('the applications that track a keyword are listed with their ranks, newest first', async () => {
  const tracking = await startTracking();
  const { client, clock, store } = tracking;
  store.setPage('camera', ['9', '1001', '3003']);
  const ids = new Map<string, number>();
  for (const [index, appId] of ['1001', '2002', '3003'].entries()) {
    clock.at = new Date(Date.UTC(2026, 2, 10, 9, index));
    ids.set(appId, await trackApp(tracking, 'ann', appId));
    await trackKeywords(tracking, 'ann', ids.get(appId) ?? 0, ['camera']);
  }
  const favorite = { account_id: 'ann', keyword_id: 1, app_id: ids.get('1001') ?? 0, is_favorite: true };
  await client.setKeywordFavorite(favorite);
  const row = (appId: string, currentRank: number | null, isFavorite: boolean, minute: number) => ({
    app_id: ids.get(appId),
    app_title: `Title of ${appId}`,
    current_rank: currentRank,
    rank_date: '2026-03-10',
    is_favorite: isFavorite,
    tracked_since: new Date(Date.UTC(2026, 2, 10, 9, minute)),
  });
  expect(await client.listKeywordTracking(request)).toEqual({
    rows: [row('3003', 3, false, 2), row('2002', null, false, 1), row('1001', 2, true, 0)],
  });
});

test('a keyword is found in any spelling, and in its own storefront only', async () => {
  const tracking = await startTracking();
  await trackKeywords(tracking, 'ann', await trackApp(tracking, 'ann'), ['photo editor']);
  const { client } = tracking;
  const spelled = { ...request, keyword: '  Ｐhoto   EDITOR ' };
  expect((await client.listKeywordTracking(spelled)).rows).toHaveLength(1);
  const elsewhere = { ...spelled, storefront: { ...us, country: 'GB' } };
  expect(await client.listKeywordTracking(elsewhere)).toEqual({ rows: [] });
});

test('a keyword that is removed, untracked or tracked by another account only gives an empty list', async () => {
  const tracking = await startTracking();
  const appId = await trackApp(tracking, 'ann');
  const removed = await trackApp(tracking, 'ann', '2002');
  const ids = await trackKeywords(tracking, 'ann', appId, ['camera']);
  await trackKeywords(tracking, 'ann', removed, ['camera']);
  const { client } = tracking;
  const key = { account_id: 'ann', app_id: appId, keyword_id: ids.get('camera') ?? 0 };
  await client.untrackKeyword(key);
  await client.untrackApplication({ account_id: 'ann', id: removed });
  for (const empty of [request, { ...request, account_id: 'bob' }, { ...request, keyword: 'never' }])
    expect(await client.listKeywordTracking(empty)).toEqual({ rows: [] });
});

test.each(['listings', 'the result page'])('when %s cannot be read, the answer is an error', async (what) => {
  const tracking = await startTracking();
  await trackKeywords(tracking, 'ann', await trackApp(tracking, 'ann'), ['camera']);
  const { connection } = tracking;
  if (what === 'listings') await connection.collection('listings').deleteMany({});
  else await connection.collection('keyword_markets').updateMany({}, { $unset: { latest: '' } });
  expect(await codeOf(tracking.client.listKeywordTracking(request))).toBe('INTERNAL_ERROR');
});

test('one command tells that an account does not track a keyword, although another one does', async () => {
  const tracking = await startTracking();
  await trackKeywords(tracking, 'bob', await trackApp(tracking, 'bob'), ['camera']);
  const commands = recordCommands(tracking.connection);
  expect(await tracking.client.listKeywordTracking(request)).toEqual({ rows: [] });
  expect(commands).toEqual(['find tracked_keywords']);
});
