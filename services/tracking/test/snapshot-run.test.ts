import type { StartSnapshotRunRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { invalidParams } from '@shelfwise/runtime/errors';
import { codeOf } from '../../../testing/call-within.ts';
import { messagesOf } from '../../../testing/recording-bus.ts';
import { until } from '../../../testing/until.ts';
import { storeFailed } from './fake-store-fetch.ts';
import { seedKeywords } from './seed-keywords.ts';
import { createHarness, quiet, type Tracking, trackApp } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

const today = '2026-03-11';
const endsWithOne = (term: string) => term.endsWith('1');
const keywordsOf = (count: number) => Array.from({ length: count }, (_, index) => `keyword ${index + 1}`);

/** Keywords with a snapshot of yesterday, a copy that takes part in the daily run, and the clock at a time of today. */
async function startWith(count: number, at: string, { dailyRun = true, hasBus = false } = {}) {
  const tracking = await startTracking({ dailyRun, hasBus });
  const { search } = tracking.store.answers;
  tracking.store.answers.search = async (request, call) => {
    const page = await search(request, call);
    const { on_day: onDay } = request;
    return onDay == null
      ? page
      : { ...page, reading: { read_at: new Date(`${onDay}T12:00:00Z`), source: 'sample' } };
  };
  const appId = count === 0 ? 0 : await trackApp(tracking, 'ann');
  if (count > 0) await seedKeywords(tracking, 'ann', appId, keywordsOf(count));
  tracking.store.searches.length = 0;
  if (dailyRun) await quiet(tracking.clock);
  tracking.clock.at = new Date(at);
  return { tracking, ...tracking, appId };
}

const start = async ({ client }: Tracking, request: Partial<StartSnapshotRunRequest> = {}) =>
  (await client.startSnapshotRun({ all_of_today: false, ...request })).run;
const getRun = async ({ client }: Tracking) => (await client.getSnapshotRun({})).run;

async function untilOver(tracking: Tracking) {
  await until(async () => (await getRun(tracking))?.is_over === true);
  return getRun(tracking);
}

async function daysOf({ rows }: Tracking, day: string): Promise<number> {
  return (await rows('snapshots')).filter((row) => row.day === day).length;
}

test('a run reads what is due now, counts it, and leaves what is planned for later', async () => {
  const { tracking, clock, rows, store } = await startWith(16, `${today}T11:30:00Z`);
  const planned = (await rows('keyword_markets')).map((row) => row.planned_at as Date);
  const due = planned.filter((at) => at <= clock.at).length;
  expect(due).toBeGreaterThan(3);
  expect(due).toBeLessThan(13);
  const started = await start(tracking);
  expect(started).toMatchObject({ failed: 0, started_at: clock.at, problems: [] });
  expect(started?.left).toBeLessThanOrEqual(due);
  expect(await untilOver(tracking)).toMatchObject({
    is_over: true,
    done: due,
    failed: 0,
    left: 0,
    started_at: clock.at,
    ended_at: clock.at,
  });
  expect(store.searches).toHaveLength(due);
  expect(await daysOf(tracking, today)).toBe(due);
});

test('a run over all of today also reads what is planned for later, and nothing twice', async () => {
  const { tracking, clock, store } = await startWith(16, `${today}T00:00:01Z`);
  await start(tracking, { all_of_today: true });
  expect(await untilOver(tracking)).toMatchObject({ done: 16, failed: 0, left: 0 });
  clock.moveTo(`${today}T23:59:59Z`);
  await quiet(clock);
  expect([...store.searches].sort()).toEqual(keywordsOf(16).sort());
  expect(await daysOf(tracking, today)).toBe(16);
  clock.moveTo('2026-03-12T23:59:59Z');
  await quiet(clock);
  expect(store.searches).toHaveLength(32);
});

test('a run over all of today does not read what another copy is reading', async () => {
  const { tracking, connection, store } = await startWith(5, `${today}T00:00:01Z`);
  const dueAt = new Date(`${today}T00:02:00Z`);
  await connection
    .collection('keyword_markets')
    .updateOne({ keyword: 'keyword 3' }, { $set: { claimed_by: 'another copy', due_at: dueAt } });
  await start(tracking, { all_of_today: true });
  await until(async () => (await getRun(tracking))?.done === 4);
  await quiet(tracking.clock);
  expect(await getRun(tracking)).toMatchObject({ is_over: false, done: 4, failed: 0, left: 1 });
  expect(store.searches).not.toContain('keyword 3');
});

test('a run retries earlier failures immediately, and tries each keyword once', async () => {
  const { tracking, clock, store } = await startWith(12, `${today}T23:00:00Z`);
  const recover = store.failSearches(endsWithOne);
  await start(tracking);
  expect(await untilOver(tracking)).toMatchObject({ done: 10, failed: 2, left: 0 });
  clock.at = new Date(`${today}T23:00:10Z`);
  await start(tracking, { all_of_today: true });
  expect(await untilOver(tracking)).toMatchObject({ done: 0, failed: 2, left: 0 });
  recover();
  clock.at = new Date(`${today}T23:00:20Z`);
  await start(tracking);
  expect(await untilOver(tracking)).toMatchObject({ done: 2, failed: 0, left: 0, problems: [] });
  expect(await daysOf(tracking, today)).toBe(12);
});

test('a run reads keywords claimed by a copy that crashed when the claims expire', async () => {
  const { tracking, clock, connection } = await startWith(5, `${today}T23:00:00Z`);
  const claim = { claimed_by: 'a copy that died', due_at: new Date(`${today}T23:02:00Z`) };
  const markets = connection.collection('keyword_markets');
  await markets.updateMany({ keyword: { $in: ['keyword 2', 'keyword 4'] } }, { $set: claim });
  await start(tracking);
  await until(async () => (await getRun(tracking))?.done === 3);
  await quiet(clock);
  expect(await getRun(tracking)).toMatchObject({ is_over: false, failed: 0, left: 2 });
  clock.moveTo(`${today}T23:02:01Z`);
  expect(await untilOver(tracking)).toMatchObject({ done: 5, failed: 0, left: 0, problems: [] });
});

test('a run is over when everything was tried; failures are counted and retried later', async () => {
  const { tracking, clock, store } = await startWith(12, `${today}T23:00:00Z`);
  const recover = store.failSearches(endsWithOne);
  await start(tracking);
  expect(await untilOver(tracking)).toMatchObject({ done: 10, failed: 2, left: 0 });
  recover();
  clock.advance(75_000);
  await quiet(clock);
  expect(await daysOf(tracking, today)).toBe(12);
  expect(await getRun(tracking)).toMatchObject({ done: 10, failed: 2, is_over: true });
});

test('while the store cannot be read, a run says why; it continues when the store is back', async () => {
  const { tracking, clock, store } = await startWith(12, `${today}T23:00:00Z`);
  const recover = store.failSearches();
  await start(tracking);
  await until(async () => (await getRun(tracking))?.failed === 3);
  await quiet(clock);
  expect(await getRun(tracking)).toMatchObject({
    is_over: false,
    done: 0,
    failed: 3,
    left: 9,
    ended_at: null,
    problems: ['App Store result pages are not read until 23:00 UTC: The store blocks us. Try again later.'],
  });
  recover();
  clock.advance(15_000);
  expect(await untilOver(tracking)).toMatchObject({ done: 9, failed: 3, left: 0, problems: [] });
});

test('starting a run during a run returns the run in progress; after its end another can be started', async () => {
  const { tracking, clock, store } = await startWith(3, `${today}T23:00:00Z`);
  const open = store.holdSearches();
  const [first, second] = await Promise.all([start(tracking), start(tracking, { day: '2026-03-01' })]);
  expect(second).toMatchObject({ started_at: first?.started_at, is_over: false, left: 3 });
  open();
  expect(await untilOver(tracking)).toMatchObject({ done: 3 });
  clock.at = new Date(`${today}T23:30:00Z`);
  expect(await start(tracking)).toMatchObject({ started_at: clock.at, done: 0, left: 0 });
  expect(await untilOver(tracking)).toMatchObject({ started_at: clock.at, done: 0 });
});

test('a run over a day of the sample reads the page of that day for every keyword without one', async () => {
  const { tracking, client, rows, appId, store } = await startWith(25, `${today}T09:00:00Z`, {
    dailyRun: false,
  });
  const [untracked] = await rows('keyword_markets');
  await client.untrackKeyword({ account_id: 'ann', app_id: appId, keyword_id: Number(untracked?._id) });
  const latest = (await rows('keyword_markets')).map((row) => row.latest.day);
  await start(tracking, { day: '2026-02-20' });
  expect(await untilOver(tracking)).toMatchObject({ done: 25, failed: 0, left: 0, problems: [] });
  expect(await daysOf(tracking, '2026-02-20')).toBe(25);
  expect((await rows('keyword_markets')).map((row) => row.latest.day)).toEqual(latest);

  await start(tracking, { day: '2026-02-20' });
  expect(await untilOver(tracking)).toMatchObject({ done: 0, failed: 0, left: 0 });
  // One extra reading checks that the source shows that day.
  expect(store.searches).toHaveLength(25 + 1);
  const history = {
    account_id: 'ann',
    keyword_id: Number(untracked?._id),
    from: '2026-02-20',
    to: '2026-02-20',
  };
  expect((await client.getRankHistory(history)).apps[0]?.history).toHaveLength(1);
});

test('a run over a day of more than a hundred keywords reads all of them', async () => {
  // The start reads the first keyword. The progress is saved after each hundred of the others.
  const { tracking } = await startWith(102, `${today}T09:00:00Z`, { dailyRun: false });
  await start(tracking, { day: '2026-02-20' });
  expect(await untilOver(tracking)).toMatchObject({ done: 102, failed: 0, left: 0, problems: [] });
  expect(await daysOf(tracking, '2026-02-20')).toBe(102);
});

test('each page of a past day is published once, so that the scores of that day can be computed', async () => {
  const { tracking, bus, stop } = await startWith(12, `${today}T09:00:00Z`, {
    dailyRun: false,
    hasBus: true,
  });
  for (const day of ['2026-02-20', '2026-02-19', '2026-02-20']) {
    await start(tracking, { day });
    await untilOver(tracking);
  }
  await stop();
  const published = messagesOf(bus.published, 'tracking.snapshot-taken.v1')
    .filter(({ day }) => day < '2026-03-01')
    .map(({ keyword, day, app_ids: appIds }) => [keyword, day, appIds.length]);
  const expected = keywordsOf(12).flatMap((keyword) => [
    [keyword, '2026-02-19', 2],
    [keyword, '2026-02-20', 2],
  ]);
  expect(published.sort()).toEqual(expected.sort());
});

test('keywords that a run over a day has read are not reported as left', async () => {
  const { tracking, store } = await startWith(2, `${today}T09:00:00Z`, { dailyRun: false });
  const open = store.holdSearches(() => store.searches.length > 1);
  expect(await start(tracking, { day: '2026-02-20' })).toMatchObject({ done: 1, failed: 0, left: 1 });
  open();
  expect(await untilOver(tracking)).toMatchObject({ done: 2, failed: 0, left: 0 });
});

test('a run over today as a day makes the daily snapshots: the daily run does not repeat them', async () => {
  const { tracking, clock, store } = await startWith(6, `${today}T00:00:00Z`);
  await start(tracking, { day: today });
  expect(await untilOver(tracking)).toMatchObject({ done: 6 });
  clock.moveTo(`${today}T23:59:00Z`);
  await quiet(clock);
  expect(store.searches).toHaveLength(6);
});

test('a live store refuses a run over another day immediately, with its own error', async () => {
  const { tracking, store, rows } = await startWith(3, `${today}T09:00:00Z`, { dailyRun: false });
  const before = await rows('snapshots');
  store.answers.search = async () => Promise.reject(invalidParams({ on_day: 'cannot be read from a store' }));
  for (const day of ['2026-02-20', '2026-03-10'])
    await expect(start(tracking, { day })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringMatching(/cannot be read from a store/),
    });
  expect(await codeOf(getRun(tracking))).toBe('NOT_FOUND');
  expect(await rows('snapshots')).toEqual(before);
});

test('a run over a day whose pages cannot be read stops after a few failures and says why', async () => {
  const { tracking, store } = await startWith(40, `${today}T09:00:00Z`, { dailyRun: false });
  store.failSearches(() => store.searches.length > 3);
  await start(tracking, { day: '2026-02-20' });
  const over = await untilOver(tracking);
  expect(over).toMatchObject({
    problems: [expect.stringMatching(/^The run stopped early: The store blocks us/)],
  });
  expect(over?.done).toBe(3);
  expect(over?.left).toBeGreaterThan(0);
  expect(store.searches.length).toBeLessThanOrEqual(3 + 20 + 16);
});

test.each([
  ['2026-02-30', /date/],
  ['2026-03-12', /after today/],
  ['2025-02-03', /400 days/],
])('the day %s is refused, naming the field', async (day, message) => {
  const { tracking } = await startWith(0, `${today}T09:00:00Z`, { dailyRun: false });
  await expect(start(tracking, { day })).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    message: expect.stringMatching(message),
    details: { issues: { fieldErrors: { day: [expect.any(String)] } } },
  });
});

test('a run over all of today and a run over a day cannot be combined', async () => {
  const { tracking } = await startWith(0, `${today}T09:00:00Z`, { dailyRun: false });
  expect(await codeOf(start(tracking, { day: today, all_of_today: true }))).toBe('INVALID_PARAMS');
});

test('a copy without the daily run refuses a run that needs its workers', async () => {
  const { tracking } = await startWith(1, `${today}T09:00:00Z`, { dailyRun: false });
  await expect(start(tracking)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringMatching(/DAILY_RUN/),
  });
});

test('before the first run there is none to read', async () => {
  const tracking = await startTracking();
  expect(await codeOf(getRun(tracking))).toBe('NOT_FOUND');
});

test('copies of the service have one run and give the same answers about it, also after both have restarted', async () => {
  const one = await startWith(12, `${today}T23:00:00Z`, { dailyRun: false });
  const { clock, database } = one;
  const other = await startTracking({ database, clock, dailyRun: true });
  expect(await codeOf(getRun(other))).toBe('NOT_FOUND');
  other.store.failSearches(endsWithOne);
  const open = other.store.holdSearches();
  const started = await start(other);
  expect(started).toMatchObject({ is_over: false, done: 0, left: 12 });
  expect(await start(one.tracking, { day: '2026-02-20' })).toEqual(started);
  expect(await getRun(one.tracking)).toEqual(started);
  open();
  const over = await untilOver(one.tracking);
  expect(over).toMatchObject({ done: 10, failed: 2, left: 0 });
  expect(await getRun(other)).toEqual(over);
  await one.tracking.stop();
  await other.stop();
  const later = await startTracking({ database, clock });
  expect(await getRun(later)).toEqual(over);
});

test('a run over a day continues in another copy when its copy stops, and counts each keyword once', async () => {
  const one = await startWith(25, `${today}T09:00:00Z`, { dailyRun: false });
  const { store, database, clock } = one;
  const { search } = store.answers;
  let isStopping = false;
  store.answers.search = async (request, call) => {
    if (store.searches.length <= 5) return search(request, call);
    isStopping = true;
    await new Promise((resolve) => call.signal?.addEventListener('abort', resolve));
    throw storeFailed();
  };
  await start(one.tracking, { day: '2026-02-20' });
  await until(() => isStopping);
  const other = await startTracking({ database, clock });
  other.store.answers.search = search;
  expect(await getRun(other)).toMatchObject({ is_over: false, failed: 0 });
  await one.tracking.stop();
  const next = await startTracking({ database, clock });
  next.store.answers.search = search;
  expect(await untilOver(other)).toMatchObject({ done: 25, failed: 0, left: 0, problems: [] });
  expect(await daysOf(other, '2026-02-20')).toBe(25);
});
