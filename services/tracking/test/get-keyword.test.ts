import { codeOf } from '../../../testing/call-within.ts';
import { recordCommands } from '../../../testing/record-commands.ts';
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
    is_tracked: true,
  };
  const commands = recordCommands(tracking.connection);
  expect(await find('ann')).toEqual(expected);
  expect(commands).toEqual(['find tracked_apps', 'find tracked_keywords', 'find keyword_markets']);
  await tracking.client.untrackKeyword({ account_id: 'ann', keyword_id: keywordId, app_id: appId });
  expect(await find('ann')).toEqual({ ...expected, is_tracked: false });
  expect(await codeOf(find('bob'))).toBe('NOT_FOUND');
  expect(await codeOf(find('ann', keywordId + 1))).toBe('NOT_FOUND');
});

test('a keyword is tracked while one application has it whose removal is not pending', async () => {
  const tracking = await startTracking();
  const appIds = [await trackApp(tracking, 'ann'), await trackApp(tracking, 'ann', '2002')];
  let keywordId = 0;
  for (const appId of appIds) keywordId = await trackKeyword(tracking, 'ann', appId, 'camera');
  const isTracked = [];
  for (const appId of appIds) {
    const pending = { $set: { active: false, removed_at: tracking.clock.at, is_removal_pending: true } };
    await tracking.connection
      .collection('tracked_apps')
      .updateOne({ account_id: 'ann', listing_id: appId }, pending);
    const found = await tracking.client.getKeyword({ account_id: 'ann', keyword_id: keywordId });
    isTracked.push(found.is_tracked);
  }
  expect(isTracked).toEqual([true, false]);
});
