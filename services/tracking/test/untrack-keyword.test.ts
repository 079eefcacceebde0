import { messagesOf } from '../../../testing/recording-bus.ts';
import { createHarness, trackApp, trackKeywords, within } from './start-tracking.ts';

const { startTracking } = createHarness();

async function startWithKeyword() {
  const tracking = await startTracking();
  const appId = await trackApp(tracking, 'ann');
  const keywordId = (await trackKeywords(tracking, 'ann', appId, ['camera'])).get('camera') ?? 0;
  return { ...tracking, tracking, key: { account_id: 'ann', app_id: appId, keyword_id: keywordId } };
}

test('a keyword is removed once; a second time says so, and the row stays', async () => {
  const { client, key, rows, clock, stop, bus } = await startWithKeyword();
  const { account_id: accountId, ...pair } = key;
  expect(await client.untrackKeyword(key, within())).toEqual({ ...pair, already_removed: false });
  expect(await client.untrackKeyword(key, within())).toEqual({ ...pair, already_removed: true });
  expect(await rows('tracked_keywords')).toMatchObject([{ active: false, removed_at: clock.at }]);
  expect(await rows('snapshots')).toHaveLength(1);
  await stop();
  expect(messagesOf(bus.published, 'tracking.keyword-untracked.v1')).toEqual([
    { account_id: accountId, ...pair, at: clock.at },
  ]);
});

test('of ten removals at once one removes', async () => {
  const { client, key, stop, bus } = await startWithKeyword();
  const replies = await Promise.all(Array.from({ length: 10 }, () => client.untrackKeyword(key, within())));
  expect(replies.filter((reply) => !reply.already_removed)).toHaveLength(1);
  await stop();
  expect(messagesOf(bus.published, 'tracking.keyword-untracked.v1')).toHaveLength(1);
});

test('a keyword tracked for two apps is removed from one of them', async () => {
  const { tracking, client, key, rows } = await startWithKeyword();
  const other = await trackApp(tracking, 'ann', '2002');
  await trackKeywords(tracking, 'ann', other, ['camera']);
  await client.untrackKeyword(key, within());
  const active = (await rows('tracked_keywords')).filter((row) => row.active);
  expect(active).toMatchObject([{ listing_id: other }]);
});

test('what went away with its application is removed already', async () => {
  const { client, key } = await startWithKeyword();
  await client.untrackApplication({ account_id: 'ann', id: key.app_id }, within());
  expect(await client.untrackKeyword(key, within())).toMatchObject({ already_removed: true });
});

test('what this account never tracked is not found', async () => {
  const { client, key } = await startWithKeyword();
  for (const wrong of [{ account_id: 'bob' }, { keyword_id: 999 }, { app_id: 999 }])
    await expect(client.untrackKeyword({ ...key, ...wrong }, within())).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
});

test.each(['keyword_id', 'app_id'])('a bad %s is refused by name', async (field) => {
  const { client, key } = await startWithKeyword();
  await expect(client.untrackKeyword({ ...key, [field]: 0 }, within())).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    details: { issues: { fieldErrors: { [field]: [expect.any(String)] } } },
  });
});
