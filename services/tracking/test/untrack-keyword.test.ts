import { codeOf } from '../../../testing/call-within.ts';
import { recordCommands } from '../../../testing/record-commands.ts';
import { messagesOf } from '../../../testing/recording-bus.ts';
import { createHarness, trackApp, trackKeyword, trackKeywords } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

async function startWithKeyword(options: { hasBus?: boolean } = {}) {
  const tracking = await startTracking(options);
  const appId = await trackApp(tracking, 'ann');
  const keywordId = await trackKeyword(tracking, 'ann', appId, 'camera');
  return { ...tracking, tracking, key: { account_id: 'ann', app_id: appId, keyword_id: keywordId } };
}

test('a keyword is removed once; a second call reports that, and the row stays', async () => {
  const { client, key, rows, clock, stop, bus } = await startWithKeyword({ hasBus: true });
  const { account_id: accountId, ...pair } = key;
  clock.advance(1000);
  expect(await client.untrackKeyword(key)).toEqual({ ...pair, already_removed: false });
  expect(await client.untrackKeyword(key)).toEqual({ ...pair, already_removed: true });
  expect(await rows('tracked_keywords')).toMatchObject([{ active: false, removed_at: clock.at }]);
  expect(await rows('snapshots')).toHaveLength(1);
  await stop();
  expect(messagesOf(bus.published, 'tracking.keyword-untracked.v1')).toEqual([
    { account_id: accountId, ...pair, at: clock.at },
  ]);
});

test('a removal is one write, unless the clock is behind that of the copy that tracked the keyword', async () => {
  const { client, key, connection, clock, rows } = await startWithKeyword();
  const { at } = clock;
  clock.advance(1000);
  const commands = recordCommands(connection);
  await client.untrackKeyword(key);
  expect(commands.splice(0)).toEqual(['update tracked_keywords']);
  await connection
    .collection('tracked_keywords')
    .updateMany({}, { $set: { active: true, removed_at: null } });
  clock.moveTo(new Date(at.getTime() - 5000));
  commands.length = 0;
  await client.untrackKeyword(key);
  expect(commands).toEqual(['update tracked_keywords', 'find tracked_keywords', 'update tracked_keywords']);
  expect(await rows('tracked_keywords')).toMatchObject([
    { active: false, removed_at: new Date(at.getTime() + 1) },
  ]);
});

test('of ten concurrent removals one removes the keyword', async () => {
  const { client, key, stop, bus } = await startWithKeyword({ hasBus: true });
  const replies = await Promise.all(Array.from({ length: 10 }, () => client.untrackKeyword(key)));
  expect(replies.filter((reply) => !reply.already_removed)).toHaveLength(1);
  await stop();
  expect(messagesOf(bus.published, 'tracking.keyword-untracked.v1')).toHaveLength(1);
});

test('a keyword that is tracked for two apps is removed from one of them only', async () => {
  const { tracking, client, key, rows } = await startWithKeyword();
  const other = await trackApp(tracking, 'ann', '2002');
  await trackKeywords(tracking, 'ann', other, ['camera']);
  await client.untrackKeyword(key);
  const active = (await rows('tracked_keywords')).filter((row) => row.active);
  expect(active).toMatchObject([{ listing_id: other }]);
});

test('a keyword that was removed with its application is reported as removed before', async () => {
  const { client, key } = await startWithKeyword();
  await client.untrackApplication({ account_id: 'ann', id: key.app_id });
  expect(await client.untrackKeyword(key)).toMatchObject({ already_removed: true });
});

test('a keyword that the account never tracked is not found', async () => {
  const { client, key } = await startWithKeyword();
  for (const wrong of [{ account_id: 'bob' }, { keyword_id: 999 }, { app_id: 999 }])
    expect(await codeOf(client.untrackKeyword({ ...key, ...wrong }))).toBe('NOT_FOUND');
});
