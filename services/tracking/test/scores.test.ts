import { codeOf } from '../../../testing/call-within.ts';
import { createHarness, listAll, type Tracking, trackApp, trackKeywords, us } from './start-tracking.ts';

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

const score = (
  { bus }: Tracking,
  hour: number,
  difficulty: number | null,
  traffic: number | null,
  { isPartial = false, kei, reason }: { isPartial?: boolean; kei?: number; reason?: string } = {},
) =>
  bus.deliver('scoring.keyword-scored.v1', 'camera', {
    ...scored(hour, difficulty, traffic),
    is_partial: isPartial,
    kei,
    kei_reason: reason,
  });
const audit = ({ bus }: Tracking, ...given: Parameters<typeof audited>) =>
  bus.deliver('scoring.listing-audited.v1', String(given[0]), audited(...given));

async function listed({ client }: Tracking) {
  const { keywords } = await client.listKeywords(listAll);
  return keywords.map((row) => [row.difficulty_score, row.traffic_score, row.is_partial, row.kei_score]);
}
async function health({ client }: Tracking) {
  const { applications } = await client.listApplications({ account_id: 'ann' });
  return applications.map((application) => application.aso_health);
}

test('a keyword has no scores until it is scored; zero is 0, what was not measured is null, partial traffic says so', async () => {
  const tracking = await startTracking();
  await trackKeywords(tracking, 'ann', await trackApp(tracking, 'ann'), ['camera']);
  expect(await listed(tracking)).toEqual([[null, null, false, null]]);
  await score(tracking, 1, 62, 48, { kei: 31.5 });
  expect(await listed(tracking)).toEqual([[62, 48, false, 31.5]]);
  await score(tracking, 2, null, 0, { isPartial: true });
  expect(await listed(tracking)).toEqual([[null, 0, true, null]]);
});

test('what holds a KEI down is that of the newest scores', async () => {
  const tracking = await startTracking();
  await trackKeywords(tracking, 'ann', await trackApp(tracking, 'ann'), ['camera']);
  const reason = async () => (await tracking.client.listKeywords(listAll)).keywords[0]?.kei_reason ?? null;
  await score(tracking, 1, 62, 3, { kei: 0, reason: 'unsearched' });
  expect(await reason()).toBe('unsearched');
  await score(tracking, 2, 62, 48, { kei: 31.5 });
  expect(await reason()).toBeNull();
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
  expect(await listed(tracking)).toEqual([[62, 48, false, null]]);
  expect(await health(tracking)).toMatchObject([{ global: 55 }]);
});

test('an application has no ASO Health until its first audit, then that of the newest audit', async () => {
  const tracking = await startTracking();
  const id = await trackApp(tracking, 'ann');
  expect(await health(tracking)).toEqual([null]);
  await audit(tracking, id, 2, 55);
  await audit(tracking, id, 1, 11);
  const { scoring_version: _version, id: _id, ...shown } = audited(id, 2, 55);
  expect(await health(tracking)).toEqual([{ ...shown, earlier: null }]);
  await audit(tracking, id, 3, 0);
  expect(await health(tracking)).toMatchObject([{ global: 0, computed_at: at(3) }]);
});

test('an audit has the last complete one of an earlier day, and says if that has another scoring version', async () => {
  const tracking = await startTracking();
  const id = await trackApp(tracking, 'ann');
  const send = (hour: number, global: number, given: Partial<ReturnType<typeof audited>> = {}) =>
    tracking.bus.deliver('scoring.listing-audited.v1', String(id), {
      ...audited(id, hour, global),
      ...given,
    });
  const earlier = async () => (await health(tracking))[0]?.earlier;
  await send(1, 50);
  await send(20, 52);
  expect(await earlier()).toBeNull();
  const yesterday = { day: '2026-03-10', global: 52, is_other_version: false };
  await send(30, 55);
  expect(await earlier()).toEqual(yesterday);
  // A late one of the day before.
  await send(23, 53);
  expect(await earlier()).toEqual({ ...yesterday, global: 53 });
  await send(31, 60, { is_partial: true });
  expect(await earlier()).toBeNull();
  await send(55, 70, { scoring_version: 2 });
  expect(await earlier()).toEqual({ day: '2026-03-11', global: 55, is_other_version: true });
  // It waits for its words: the scores are those of before.
  await send(55, 70, { scoring_version: 2, pending_at: at(80) });
  expect(await health(tracking)).toMatchObject([{ pending_at: at(80), earlier: { global: 55 } }]);
});

test('messages without their time, and scores without a storefront, are rejected', async () => {
  const { bus } = await startTracking();
  const keyword = scored(1, 62, 48);
  const send = (message: typeof keyword | Record<string, unknown>) =>
    bus.deliver('scoring.keyword-scored.v1', 'camera', { ...keyword, ...message });
  await expect(send({ scored_at: null })).rejects.toThrow(/is missing/);
  expect(await codeOf(send({ storefront: null }))).toBe('INVALID_PARAMS');
  const late = { ...audited(1, 1, 50), computed_at: null };
  await expect(bus.deliver('scoring.listing-audited.v1', '1', late)).rejects.toThrow(/is missing/);
});
