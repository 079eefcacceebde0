import { recordCommands } from '../../../testing/record-commands.ts';
import { createHarness, trackApp, trackCompetitor, trackKeywords } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

test('totals count what each account tracks now', async () => {
  const tracking = await startTracking();
  const { client } = tracking;
  expect(await client.getTotals({ account_id: 'ann' })).toEqual({
    apps: 0,
    keywords: 0,
    competitors: 0,
  });
  const one = await trackApp(tracking, 'ann');
  const two = await trackApp(tracking, 'ann', '2002');
  const ids = await trackKeywords(tracking, 'ann', one, ['camera', 'video']);
  await trackKeywords(tracking, 'ann', two, ['camera']);
  await trackApp(tracking, 'bob');
  expect(await client.getTotals({ account_id: 'ann' })).toMatchObject({ apps: 2, keywords: 3 });
  const key = { account_id: 'ann', app_id: one, keyword_id: ids.get('video') ?? 0 };
  await client.untrackKeyword(key);
  await client.untrackApplication({ account_id: 'ann', id: two });
  expect(await client.getTotals({ account_id: 'ann' })).toMatchObject({ apps: 1, keywords: 1 });
  expect(await client.getTotals({ account_id: 'bob' })).toMatchObject({ apps: 1, keywords: 0 });
});

test('a competitor counts once per application that has it, and not after its removal', async () => {
  const tracking = await startTracking();
  const { client } = tracking;
  const count = async (accountId: string) => (await client.getTotals({ account_id: accountId })).competitors;
  const one = await trackApp(tracking, 'ann');
  const two = await trackApp(tracking, 'ann', '1002');
  await trackCompetitor(tracking, 'ann', one, '2002');
  const { id } = await trackCompetitor(tracking, 'ann', one, '3003');
  await trackCompetitor(tracking, 'ann', two, '2002');
  expect([await count('ann'), await count('bob')]).toEqual([3, 0]);
  await client.untrackCompetitor({ account_id: 'ann', id });
  expect(await count('ann')).toBe(2);
  await client.untrackApplication({ account_id: 'ann', id: two });
  expect(await count('ann')).toBe(1);
});

test('each collection is counted by one command', async () => {
  const tracking = await startTracking();
  await trackKeywords(tracking, 'ann', await trackApp(tracking, 'ann'), ['camera']);
  const commands = recordCommands(tracking.connection);
  expect(await tracking.client.getTotals({ account_id: 'ann' })).toMatchObject({ apps: 1, keywords: 1 });
  const counted = ['tracked_apps', 'tracked_keywords', 'competitors'];
  expect(commands.sort()).toEqual(counted.map((name) => `aggregate ${name}`).sort());
});
