import { codeOf } from '../../../testing/call-within.ts';
import { createHarness, trackApp, trackCompetitor } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

async function startWithCompetitor() {
  const tracking = await startTracking();
  const appId = await trackApp(tracking, 'ann');
  const { id } = await trackCompetitor(tracking, 'ann', appId, '2002');
  return { ...tracking, tracking, appId, id, request: { account_id: 'ann', id } };
}

test('a competitor is removed once; a second call reports that and changes nothing', async () => {
  const { client, clock, request, id, rows } = await startWithCompetitor();
  const removedAt = new Date('2026-03-10T10:00:00Z');
  clock.at = removedAt;
  expect(await client.untrackCompetitor(request)).toEqual({ id, removed: true });
  clock.at = new Date('2026-03-11T09:00:00Z');
  expect(await client.untrackCompetitor(request)).toEqual({ id, removed: false });
  expect(await rows('competitors')).toMatchObject([{ _id: id, active: false, removed_at: removedAt }]);
  expect(await client.listCompetitors({ account_id: 'ann' })).toEqual({
    relations: [],
    total: 0,
  });
});

test('of concurrent calls one removes the competitor', async () => {
  const { client, request } = await startWithCompetitor();
  const replies = await Promise.all(Array.from({ length: 10 }, () => client.untrackCompetitor(request)));
  expect(replies.filter(({ removed }) => removed)).toHaveLength(1);
});

test('the other competitors stay', async () => {
  const { client, tracking, request, appId } = await startWithCompetitor();
  const { id } = await trackCompetitor(tracking, 'ann', appId, '3003');
  await client.untrackCompetitor(request);
  const { relations } = await client.listCompetitors({ account_id: 'ann' });
  expect(relations.map((relation) => relation.id)).toEqual([id]);
});

test('a competitor of another account and an unknown id are not found', async () => {
  const { client, id, rows } = await startWithCompetitor();
  for (const request of [
    { account_id: 'bob', id },
    { account_id: 'ann', id: 999 },
  ])
    expect(await codeOf(client.untrackCompetitor(request))).toBe('NOT_FOUND');
  expect(await rows('competitors')).toMatchObject([{ active: true }]);
});

test('a competitor that was removed with its application is reported as removed before', async () => {
  const { client, request, appId, id } = await startWithCompetitor();
  await client.untrackApplication({ account_id: 'ann', id: appId });
  expect(await client.untrackCompetitor(request)).toEqual({ id, removed: false });
});
