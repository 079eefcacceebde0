import { codeOf } from '../../../testing/call-within.ts';
import { recordCommands } from '../../../testing/record-commands.ts';
import { createHarness, listAll, trackApp, trackKeyword, trackKeywords } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

async function startWithKeyword() {
  const tracking = await startTracking();
  const appId = await trackApp(tracking, 'ann');
  const keywordId = await trackKeyword(tracking, 'ann', appId, 'camera');
  const request = { account_id: 'ann', app_id: appId, keyword_id: keywordId, is_favorite: true };
  const listed = async () => {
    const { keywords } = await tracking.client.listKeywords(listAll);
    return keywords.map((row) => [row.app_id, row.is_favorite]);
  };
  return { ...tracking, tracking, appId, keywordId, request, listed };
}

test('a favorite can be set and unset repeatedly', async () => {
  const { client, request, listed, appId, keywordId } = await startWithKeyword();
  for (const isFavorite of [true, true, false, false, true]) {
    expect(await client.setKeywordFavorite({ ...request, is_favorite: isFavorite })).toEqual({
      app_id: appId,
      keyword_id: keywordId,
      is_favorite: isFavorite,
    });
    expect(await listed()).toEqual([[appId, isFavorite]]);
  }
});

test('a mark is one write, also when it was set before, and nothing is written when it stays', async () => {
  const { client, request, connection, clock, rows } = await startWithKeyword();
  const commands = recordCommands(connection);
  for (const isFavorite of [true, false]) {
    clock.advance(1000);
    commands.length = 0;
    await client.setKeywordFavorite({ ...request, is_favorite: isFavorite });
    expect(commands).toEqual(['find tracked_apps', 'update tracked_keywords']);
    expect(await rows('tracked_keywords')).toMatchObject([{ favorite_set_at: clock.at }]);
  }
  const setAt = clock.at;
  clock.advance(1000);
  await client.setKeywordFavorite({ ...request, is_favorite: false });
  expect(await rows('tracked_keywords')).toMatchObject([{ favorite_set_at: setAt }]);
  // A clock that is behind.
  clock.moveTo(new Date(setAt.getTime() - 5000));
  await client.setKeywordFavorite(request);
  const next = new Date(setAt.getTime() + 1);
  expect(await rows('tracked_keywords')).toMatchObject([{ favorite_order: 0, favorite_set_at: next }]);
});

test('a keyword of two apps can be a favorite of each separately', async () => {
  const { tracking, client, request, listed, appId } = await startWithKeyword();
  const other = await trackApp(tracking, 'ann', '2002');
  await trackKeywords(tracking, 'ann', other, ['camera']);
  await client.setKeywordFavorite({ ...request, app_id: other });
  expect(await listed()).toEqual([
    [other, true],
    [appId, false],
  ]);
});

test('a removed keyword and one that the account never tracked are not found', async () => {
  const { client, request } = await startWithKeyword();
  for (const wrong of [{ account_id: 'bob' }, { keyword_id: 999 }, { app_id: 999 }])
    expect(await codeOf(client.setKeywordFavorite({ ...request, ...wrong }))).toBe('NOT_FOUND');
  await client.untrackKeyword(request);
  expect(await codeOf(client.setKeywordFavorite(request))).toBe('NOT_FOUND');
});
