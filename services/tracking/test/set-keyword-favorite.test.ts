import { codeOf } from '../../../testing/call-within.ts';
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
