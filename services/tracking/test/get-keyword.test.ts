import { callWithin } from '../../../testing/call-within.ts';
import { createHarness, trackApp, trackKeywords } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

test('a keyword comes with its storefront, also after it was removed, and only for the account that tracked it', async () => {
  const tracking = await startTracking();
  const appId = await trackApp(tracking, 'ann');
  const keywordId = (await trackKeywords(tracking, 'ann', appId, ['camera'])).get('camera') ?? 0;
  const find = (accountId: string, id = keywordId) =>
    tracking.client.getKeyword({ account_id: accountId, keyword_id: id }, callWithin());
  const expected = {
    keyword_id: keywordId,
    keyword: 'camera',
    storefront: { store: 'ITUNES', country: 'US', lang: 'en-US' },
  };
  expect(await find('ann')).toEqual(expected);
  await tracking.client.untrackKeyword(
    { account_id: 'ann', keyword_id: keywordId, app_id: appId },
    callWithin(),
  );
  expect(await find('ann')).toEqual(expected);
  await expect(find('bob')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(find('ann', keywordId + 1)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(find('ann', 0)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
});
