import { callWithin } from '../../../testing/call-within.ts';
import { createHarness, type Tracking, trackApp, trackKeywords, us } from './start-tracking.ts';

const { startTracking } = createHarness();

const at = (hour: number) => new Date(Date.UTC(2026, 2, 10, hour));
const scored = (hour: number, difficulty: number | null, traffic: number | null) => ({
  storefront: us,
  keyword: 'camera',
  difficulty,
  traffic,
  scoring_version: 1,
  scored_at: at(hour),
  source: 'sample',
  is_partial: false,
});
const audited = (id: number, hour: number, global: number) => ({
  id,
  global,
  coverage: 40,
  targeting: 50,
  appeal: 60,
  tier: 2,
  scoring_version: 1,
  computed_at: at(hour),
  pending_at: null as Date | null,
  is_partial: false,
});

const score = ({ bus }: Tracking, ...given: Parameters<typeof scored>) =>
  bus.deliver('scoring.keyword-scored.v1', 'camera', scored(...given));
const audit = ({ bus }: Tracking, ...given: Parameters<typeof audited>) =>
  bus.deliver('scoring.listing-audited.v1', String(given[0]), audited(...given));

async function listed({ client }: Tracking): Promise<(number | null | undefined)[][]> {
  const all = { account_id: 'ann', favorites_only: false, page: 1, per_page: 100 };
  const { keywords } = await client.listKeywords(all, callWithin());
  return keywords.map(({ difficulty_score: difficultyScore, traffic_score: trafficScore }) => [
    difficultyScore,
    trafficScore,
  ]);
}
async function health({ client }: Tracking) {
  const { applications } = await client.listApplications({ account_id: 'ann' }, callWithin());
  return applications.map((application) => application.aso_health);
}

test('a keyword has no scores until it is scored', async () => {
  const tracking = await startTracking();
  await trackKeywords(tracking, 'ann', await trackApp(tracking, 'ann'), ['camera']);
  expect(await listed(tracking)).toEqual([[null, null]]);
  await score(tracking, 1, 62, 48);
  expect(await listed(tracking)).toEqual([[62, 48]]);
});

test('a score of zero is 0, and a score that was not measured is null', async () => {
  const tracking = await startTracking();
  await trackKeywords(tracking, 'ann', await trackApp(tracking, 'ann'), ['camera']);
  await score(tracking, 1, null, 0);
  expect(await listed(tracking)).toEqual([[null, 0]]);
});

test('the newest scores win, in any order and however often they arrive', async () => {
  const tracking = await startTracking();
  await trackKeywords(tracking, 'ann', await trackApp(tracking, 'ann'), ['camera']);
  const newest = await score(tracking, 3, 30, 33);
  await score(tracking, 2, 20, 22);
  await tracking.bus.redeliver(newest);
  expect(await listed(tracking)).toEqual([[30, 33]]);
  await score(tracking, 4, 40, 44);
  expect(await listed(tracking)).toEqual([[40, 44]]);
});

test('scores of an unknown keyword and audits of an unknown listing create nothing', async () => {
  const tracking = await startTracking();
  await score(tracking, 1, 62, 48);
  await audit(tracking, 99, 1, 50);
  expect(await tracking.rows('keyword_markets')).toEqual([]);
  expect(await tracking.rows('listings')).toEqual([]);
});

test('the next snapshot and the next reading keep the stored scores', async () => {
  const tracking = await startTracking();
  const appId = await trackApp(tracking, 'ann');
  await trackKeywords(tracking, 'ann', appId, ['camera']);
  await score(tracking, 1, 62, 48);
  await audit(tracking, appId, 1, 55);
  tracking.clock.at = new Date('2026-03-11T09:00:00Z');
  await trackApp(tracking, 'bob');
  await trackKeywords(tracking, 'bob', appId, ['camera']);
  expect(await tracking.rows('snapshots')).toHaveLength(2);
  expect(await listed(tracking)).toEqual([[62, 48]]);
  expect(await health(tracking)).toMatchObject([{ global: 55 }]);
});

test('an application has no ASO Health until its first audit, then that of the newest audit', async () => {
  const tracking = await startTracking();
  const id = await trackApp(tracking, 'ann');
  expect(await health(tracking)).toEqual([null]);
  await audit(tracking, id, 2, 55);
  await audit(tracking, id, 1, 11);
  const { scoring_version: _version, id: _id, ...shown } = audited(id, 2, 55);
  expect(await health(tracking)).toEqual([shown]);
  await audit(tracking, id, 3, 0);
  expect(await health(tracking)).toMatchObject([{ global: 0, computed_at: at(3) }]);
});

test('while a newer audit waits, the scores stay and say so, in any order of the events', async () => {
  const tracking = await startTracking();
  const id = await trackApp(tracking, 'ann');
  const send = (hour: number, global: number, more: { pending_at?: Date; is_partial?: boolean }) =>
    tracking.bus.deliver('scoring.listing-audited.v1', String(id), { ...audited(id, hour, global), ...more });
  await audit(tracking, id, 1, 55);
  await send(1, 55, { pending_at: at(3) });
  expect(await health(tracking)).toMatchObject([{ global: 55, computed_at: at(1), pending_at: at(3) }]);
  await audit(tracking, id, 2, 60);
  expect(await health(tracking)).toMatchObject([{ global: 55, pending_at: at(3) }]);
  await send(4, 62, { is_partial: true });
  expect(await health(tracking)).toMatchObject([{ global: 62, pending_at: null, is_partial: true }]);
  await send(1, 55, { pending_at: at(3) });
  expect(await health(tracking)).toMatchObject([{ global: 62, pending_at: null, is_partial: true }]);
});

test('a keyword shows whether its traffic is partial', async () => {
  const tracking = await startTracking();
  await trackKeywords(tracking, 'ann', await trackApp(tracking, 'ann'), ['camera']);
  const send = (hour: number, isPartial: boolean) =>
    tracking.bus.deliver('scoring.keyword-scored.v1', 'camera', {
      ...scored(hour, 62, 48),
      is_partial: isPartial,
    });
  const flags = async () => {
    const all = { account_id: 'ann', favorites_only: false, page: 1, per_page: 100 };
    const { keywords } = await tracking.client.listKeywords(all, callWithin());
    return keywords.map(({ is_partial: isPartial }) => isPartial);
  };
  expect(await flags()).toEqual([false]);
  await send(1, true);
  expect(await flags()).toEqual([true]);
  await send(2, false);
  expect(await flags()).toEqual([false]);
});

test('messages without their time, and scores without a storefront, are rejected', async () => {
  const { bus } = await startTracking();
  const keyword = scored(1, 62, 48);
  const send = (message: typeof keyword | Record<string, unknown>) =>
    bus.deliver('scoring.keyword-scored.v1', 'camera', { ...keyword, ...message });
  await expect(send({ scored_at: null })).rejects.toThrow(/is missing/);
  await expect(send({ storefront: null })).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  const late = { ...audited(1, 1, 50), computed_at: null };
  await expect(bus.deliver('scoring.listing-audited.v1', '1', late)).rejects.toThrow(/is missing/);
});
