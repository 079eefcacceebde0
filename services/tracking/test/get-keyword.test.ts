import { codeOf } from '../../../testing/call-within.ts';
import { createHarness, trackApp, trackKeyword } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

test('a keyword comes with its storefront, also after it was removed, and only for the account that tracked it', async () => {
  const tracking = await startTracking();
  const appId = await trackApp(tracking, 'ann');
  const keywordId = await trackKeyword(tracking, 'ann', appId, 'camera');
  const find = (accountId: string, id = keywordId) =>
    tracking.client.getKeyword({ account_id: accountId, keyword_id: id });
  const expected = {
    keyword_id: keywordId,
    keyword: 'camera',
    storefront: { store: 'ITUNES', country: 'US', lang: 'en-US' },
  };
  expect(await find('ann')).toEqual(expected);
  await tracking.client.untrackKeyword({ account_id: 'ann', keyword_id: keywordId, app_id: appId });
  expect(await find('ann')).toEqual(expected);
  expect(await codeOf(find('bob'))).toBe('NOT_FOUND');
  expect(await codeOf(find('ann', keywordId + 1))).toBe('NOT_FOUND');
});
