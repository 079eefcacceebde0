import { slotOf } from '@shelfwise/runtime/jobs/daily-slot';
import { createGate } from '../../../testing/gate.ts';
import { createManualClock, type ManualClock } from '../../../testing/manual-clock.ts';
import { messagesOf } from '../../../testing/recording-bus.ts';
import { until } from '../../../testing/until.ts';
import { fakeListing, neverAnswer, storeFailed, unprovenPage } from './fake-store-fetch.ts';
import { seedKeywords } from './seed-keywords.ts';
import { createHarness, quiet, type Tracking, trackApp, trackKeywords, us } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

const firstDay = '2026-03-10';
const secondDay = '2026-03-11';
const endOf = (day: string) => `${day}T23:59:59Z`;
const keywordsOf = (count: number) => Array.from({ length: count }, (_, index) => `keyword ${index + 1}`);

/** Tracks keywords at the clock's time, in a copy without the daily run, and stops that copy. */
async function seed(keywords: string[], options: { hasBus?: boolean } = {}) {
  const clock = createManualClock(`${firstDay}T09:00:00Z`);
  const seeder = await startTracking({ ...options, clock });
  const ids = await seedKeywords(seeder, 'ann', await trackApp(seeder, 'ann'), keywords);
  await seeder.stop();
  return { clock, database: seeder.database, ids };
}

/**
 * Starts a copy that takes part in the daily run and waits until it has read what is due; `copies` then run,
 * including this one.
 */
async function startDailyRun(
  seeded: { clock: ManualClock; database: string; hasBus?: boolean; countMs?: number },
  at?: string,
  copies = 1,
) {
  if (at) seeded.clock.moveTo(at);
  const tracking = await startTracking({ ...seeded, dailyRun: true });
  await quiet(seeded.clock, copies);
  return tracking;
}

async function daysOf({ rows }: Tracking): Promise<string[]> {
  return (await rows('snapshots')).map(({ _id }) => String(_id)).sort();
}

/** For tests of many steps: the progress is counted every ten minutes. */
const rareCounts = { countMs: 30_000 };

const dailyRunOf = async ({ server }: Tracking) => server.checks['daily run']?.();

test('every tracked keyword is read once a UTC day, each at its own time', async () => {
  const { clock, ids, database } = await seed(keywordsOf(20));
  const tracking = await startDailyRun({ clock, database, hasBus: true }, endOf(firstDay));
  expect(tracking.store.searches).toEqual([]);
  const readAtHour: number[] = [];
  for (let hour = 0; hour < 24; hour++) {
    const before = tracking.store.searches.length;
    clock.moveTo(new Date(Date.parse(`${secondDay}T00:59:59Z`) + hour * 3_600_000));
    await quiet(clock);
    readAtHour.push(tracking.store.searches.length - before);
  }
  expect([...tracking.store.searches].sort()).toEqual(keywordsOf(20).sort());
  const planned = Array.from({ length: 24 }, () => 0);
  for (const id of ids.values()) {
    const hour = slotOf(id, secondDay).getUTCHours();
    planned[hour] = (planned[hour] ?? 0) + 1;
  }
  expect(readAtHour).toEqual(planned);
  expect(await daysOf(tracking)).toHaveLength(40);
  await tracking.stop();
  const taken = messagesOf(tracking.bus.published, 'tracking.snapshot-taken.v1');
  expect(taken.filter(({ day }) => day === secondDay)).toHaveLength(20);
});

test('the daily run requests pages of a hundred results, marked as daily, and says that the last one had some', async () => {
  const { clock, database } = await seed(['camera']);
  const tracking = await startDailyRun({ clock, database });
  const requests: unknown[] = [];
  const { search } = tracking.store.answers;
  tracking.store.answers.search = (request, call) => {
    requests.push(request);
    return search(request, call);
  };
  clock.moveTo(endOf(secondDay));
  await quiet(clock);
  const request = { storefront: us, term: 'camera', limit: 100, for_daily_run: true, had_results: true };
  expect(requests).toEqual([request]);
});

test('when the day is too short, the most-tracked keywords are read first, and among equals the longest due', async () => {
  const clock = createManualClock(`${firstDay}T09:00:00Z`);
  const seeder = await startTracking({ clock });
  const trackerCounts = [
    ['one a', 1],
    ['five', 5],
    ['one b', 1],
    ['three', 3],
    ['one c', 1],
    ['two', 2],
    ['four', 4],
  ] as const;
  const accounts = ['ann', 'bob', 'cem', 'dan', 'eve'];
  let ids = new Map<string, number>();
  for (const [index, account] of accounts.entries()) {
    const keywords = trackerCounts.filter(([, count]) => count > index).map(([keyword]) => keyword);
    const found = await trackKeywords(seeder, account, await trackApp(seeder, account), keywords);
    ids = new Map([...found, ...ids]);
  }
  await seeder.stop();
  const tracking = await startDailyRun({ clock, database: seeder.database });
  const { search } = tracking.store.answers;
  // A page takes three seconds: the store accepts one call at a time.
  tracking.store.answers.search = async (request, call) => {
    clock.at = new Date(clock.at.getTime() + 3000);
    return search(request, call);
  };
  clock.moveTo(`${secondDay}T23:59:00Z`);
  await quiet(clock);
  const slot = (keyword: string) => slotOf(ids.get(keyword) ?? 0, secondDay).getTime();
  const ones = ['one a', 'one b', 'one c'].sort((one, other) => slot(one) - slot(other));
  expect(tracking.store.searches).toEqual(['five', 'four', 'three', 'two', ...ones]);
});

test('after a stop in the middle of a run, the next start reads the rest, and no keyword twice', async () => {
  const { clock, database } = await seed(keywordsOf(30));
  const first = await startDailyRun({ clock, database });
  const { search } = first.store.answers;
  first.store.answers.search = (request, call) =>
    first.store.searches.length > 12 ? neverAnswer(request, call) : search(request, call);
  clock.moveTo(endOf(secondDay));
  await until(() => first.store.searches.length > 12);
  await first.stop();
  const done = (await daysOf(first)).length - 30;
  expect(done).toBe(12);

  const second = await startDailyRun({ clock, database });
  await quiet(clock);
  expect(second.store.searches).toHaveLength(30 - done);
  expect(await daysOf(second)).toHaveLength(60);
});

test('after three days of downtime each keyword is read once, and the missed days stay missing', async () => {
  const { clock, database, ids } = await seed(keywordsOf(5));
  const tracking = await startDailyRun({ clock, database }, '2026-03-14T23:59:00Z');
  await quiet(clock);
  expect(tracking.store.searches).toHaveLength(5);
  expect(await daysOf(tracking)).toEqual(
    [...ids.values()].flatMap((id) => [`${id}:2026-03-10`, `${id}:2026-03-14`]).sort(),
  );
  clock.moveTo('2026-03-15T23:59:00Z');
  await quiet(clock);
  expect(tracking.store.searches).toHaveLength(10);
});

test('copies on one database share the work and read no keyword twice', async () => {
  const { clock, database } = await seed(keywordsOf(60));
  const copies = [
    await startDailyRun({ clock, database }),
    await startDailyRun({ clock, database }, undefined, 2),
  ];
  for (const { store } of copies) {
    const { search } = store.answers;
    // Each copy continues only when both have something to read.
    store.answers.search = async (request, call) => {
      await until(() => copies.every((copy) => copy.store.searches.length > 0));
      return search(request, call);
    };
  }
  clock.moveTo(endOf(secondDay));
  await quiet(clock, 2);
  const searched = copies.flatMap(({ store }) => store.searches);
  expect([...searched].sort()).toEqual(keywordsOf(60).sort());
  const [tracking] = copies as [Tracking, Tracking];
  expect((await daysOf(tracking)).filter((id) => id.endsWith(secondDay))).toHaveLength(60);
});

test('a keyword claimed by a copy that crashed is read by another copy when the claim expires', async () => {
  const { clock, database } = await seed(['camera']);
  const dying = await startDailyRun({ clock, database });
  dying.store.answers.search = neverAnswer;
  clock.moveTo(endOf(secondDay));
  await until(() => dying.store.searches.length === 1);
  await dying.connection.getClient().close();

  const survivor = await startTracking({ database, clock, dailyRun: true, hasOwnConnection: true });
  for (const minutes of [0, 1, 2]) {
    clock.moveTo(new Date(Date.parse('2026-03-12T00:00:00Z') + minutes * 60_000 - 2000));
    await until(() => clock.sleeping() >= 13);
    expect(survivor.store.searches).toEqual([]);
  }
  clock.moveTo('2026-03-12T00:03:00Z');
  await until(async () => (await daysOf(survivor)).length === 2);
  expect(survivor.store.searches).toEqual(['camera']);
  await dying.connection.getClient().connect();
});

test('a page that a user’s call has read is not read again that day', async () => {
  const { clock, database } = await seed(['camera']);
  clock.moveTo(`${secondDay}T00:00:00Z`);
  const user = await startTracking({ clock, database });
  await trackKeywords(user, 'bob', await trackApp(user, 'bob', '2002'), ['camera']);
  await user.stop();
  const tracking = await startDailyRun({ clock, database }, endOf(secondDay));
  await quiet(clock);
  expect(tracking.store.searches).toEqual([]);
  clock.moveTo(endOf('2026-03-12'));
  await quiet(clock);
  expect(tracking.store.searches).toEqual(['camera']);
  expect(await tracking.rows('keyword_markets')).toMatchObject([{ tracker_count: 2 }]);
});

test('a user need not wait for a daily reading of the same keyword; there is one snapshot and one event', async () => {
  const { clock, database } = await seed(['camera'], { hasBus: true });
  const tracking = await startDailyRun({ clock, database, hasBus: true });
  const { search } = tracking.store.answers;
  const { opened, open } = createGate();
  tracking.store.answers.search = async (request, call) => {
    if (request.for_daily_run) await opened;
    tracking.store.setPage('camera', request.for_daily_run ? ['1001'] : ['2002', '1001']);
    return search(request, call);
  };
  clock.moveTo(endOf(secondDay));
  await until(() => tracking.store.searches.length === 1);
  await trackKeywords(tracking, 'bob', await trackApp(tracking, 'bob', '2002'), ['camera']);
  open();
  await quiet(clock);
  expect(tracking.store.searches).toEqual(['camera', 'camera']);
  expect(await tracking.rows('keyword_markets')).toMatchObject([
    { latest: { day: secondDay, app_ids: ['2002', '1001'] }, tracker_count: 2 },
  ]);
  await tracking.stop();
  expect(messagesOf(tracking.bus.published, 'tracking.snapshot-taken.v1')).toHaveLength(1);
});

test('a store that is down does not block the other store', async () => {
  const { clock, database } = await seed(keywordsOf(8));
  const user = await startTracking({ clock, database });
  const storefront = { ...us, store: 'GPLAY' } as const;
  const app = await user.client.trackApplication({ account_id: 'ann', storefront, app_id: 'a.b' });
  const request = { account_id: 'ann', app_id: app.id, storefront, keywords: keywordsOf(8) };
  await user.client.trackKeywords(request);
  await user.stop();
  const tracking = await startDailyRun({ clock, database });
  const { search } = tracking.store.answers;
  const read: string[] = [];
  tracking.store.answers.search = async (request, call) => {
    if (request.storefront?.store === 'ITUNES') throw storeFailed();
    read.push(request.term);
    return search(request, call);
  };
  clock.moveTo(endOf(secondDay));
  await quiet(clock);
  expect([...read].sort()).toEqual(keywordsOf(8));
  expect((await dailyRunOf(tracking))?.detail).toMatch(/App Store result pages are not read/);
  expect((await dailyRunOf(tracking))?.detail).not.toMatch(/Google Play/);
});

test('a page from yesterday is not saved as today’s', async () => {
  const { clock, database, ids } = await seed(['camera']);
  const tracking = await startDailyRun({ clock, database });
  const { search } = tracking.store.answers;
  tracking.store.answers.search = async (request, call) => ({
    ...(await search(request, call)),
    reading: { read_at: new Date(endOf(firstDay)), source: 'sample' },
  });
  clock.moveTo(`${secondDay}T23:30:00Z`);
  await quiet(clock);
  expect(await daysOf(tracking)).toEqual([`${ids.get('camera')}:${firstDay}`]);
  tracking.store.answers.search = search;
  clock.advance(120_000);
  await quiet(clock);
  expect(await daysOf(tracking)).toEqual([firstDay, secondDay].map((day) => `${ids.get('camera')}:${day}`));
});

test('a reading that crosses midnight counts for the day on which the store answered', async () => {
  const { clock, database, ids } = await seed(['camera']);
  const tracking = await startDailyRun({ clock, database });
  const { search } = tracking.store.answers;
  tracking.store.answers.search = async (request, call) => {
    const page = await search(request, call);
    clock.at = new Date('2026-03-12T00:00:01Z');
    return page;
  };
  clock.moveTo(endOf(secondDay));
  await quiet(clock);
  tracking.store.answers.search = search;
  clock.moveTo(endOf('2026-03-12'));
  await quiet(clock);
  expect(await daysOf(tracking)).toEqual(
    [firstDay, secondDay, '2026-03-12'].map((day) => `${ids.get('camera')}:${day}`),
  );
});

test('a keyword is not read while no account tracks it, and is read again when it is tracked again', async () => {
  const { clock, database, ids } = await seed(['camera', 'video']);
  const tracking = await startDailyRun({ clock, database });
  const key = { account_id: 'ann', app_id: 1, keyword_id: ids.get('camera') ?? 0 };
  await tracking.client.untrackKeyword(key);
  clock.moveTo(endOf(secondDay));
  await quiet(clock);
  expect(tracking.store.searches).toEqual(['video']);
  const camera = (await tracking.rows('keyword_markets')).find(({ keyword }) => keyword === 'camera');
  expect(camera).toMatchObject({ keyword: 'camera', tracker_count: 0 });
  for (const field of ['planned_at', 'due_at', 'claimed_by']) expect(camera).not.toHaveProperty(field);

  clock.moveTo('2026-03-13T09:00:00Z');
  await quiet(clock);
  await trackKeywords(tracking, 'ann', 1, ['camera']);
  tracking.store.searches.length = 0;
  clock.moveTo(endOf('2026-03-14'));
  await quiet(clock);
  expect([...tracking.store.searches].sort()).toEqual(['camera', 'video']);
});

test('a keyword whose row is not written yet is still read every day', async () => {
  const { clock, database } = await seed(['camera']);
  const tracking = await startDailyRun({ clock, database });
  await tracking.connection.collection('tracked_keywords').deleteMany({});
  await tracking.connection
    .collection('keyword_markets')
    .updateMany({}, { $set: { last_tracked_at: new Date(`${secondDay}T23:58:00Z`) } });
  clock.moveTo(endOf(secondDay));
  await quiet(clock);
  expect(tracking.store.searches).toEqual(['camera']);
  expect(await tracking.rows('keyword_markets')).toMatchObject([
    { tracker_count: 1, planned_at: expect.any(Date) },
  ]);
});

test('a keyword whose readings end just before it is tracked again is planned by that call', async () => {
  const { clock, database, ids } = await seed(['camera']);
  const tracking = await startDailyRun({ clock, database });
  await tracking.client.untrackKeyword({ account_id: 'ann', app_id: 1, keyword_id: ids.get('camera') ?? 0 });
  clock.moveTo(`${secondDay}T00:00:00Z`);
  await quiet(clock);
  // A snapshot of today exists, so only the call itself can plan the next reading.
  await tracking.connection
    .collection('keyword_markets')
    .updateMany({}, { $set: { 'latest.day': secondDay }, $unset: { planned_at: '', due_at: '' } });
  await trackKeywords(tracking, 'ann', 1, ['camera']);
  const planned = slotOf(ids.get('camera') ?? 0, '2026-03-12');
  expect(await tracking.rows('keyword_markets')).toMatchObject([{ planned_at: planned, due_at: planned }]);
});

test('health and metrics show the numbers of keywords read, due and late', async () => {
  const { clock, database } = await seed(keywordsOf(10));
  const tracking = await startDailyRun({ clock, database });
  await quiet(clock);
  expect(await dailyRunOf(tracking)).toEqual({
    name: 'daily run',
    state: 'OK',
    is_embedded: false,
    detail: 'counted at 09:00 UTC: 10 of 10 keywords read today, 0 due, 0 late',
  });
  tracking.store.failSearches();
  clock.moveTo(endOf(secondDay));
  await quiet(clock);
  clock.advance(30_000);
  await quiet(clock);
  clock.advance(30_000);
  await quiet(clock);
  const metrics = await tracking.metrics.registry.metrics();
  expect(metrics).toMatch(/shelfwise_keywords_read_today\{store="ITUNES"\} 0/);
  expect(metrics).toMatch(/shelfwise_keywords_late\{store="ITUNES"\} 10/);
  expect(metrics).toMatch(/shelfwise_keywords_due\{store="ITUNES"\} [4-9]/);
  expect(metrics).toMatch(/shelfwise_keywords_late\{store="GPLAY"\} 0/);
  expect(await dailyRunOf(tracking)).toMatchObject({
    state: 'DEGRADED',
    detail: expect.stringMatching(/^counted at 00:00 UTC: 0 of 10 keywords read today, \d due, 10 late; /),
  });
});

test('an empty page that is not believed leaves no row and the page of the day before, for two days, and pauses nothing', async () => {
  const { clock, database } = await seed(keywordsOf(12));
  const tracking = await startDailyRun({ clock, database, ...rareCounts });
  const before = await tracking.rows('keyword_markets');
  const doubted = new Set(keywordsOf(6));
  const asked = new Set<unknown>();
  const { search } = tracking.store.answers;
  tracking.store.answers.search = (request, call) => {
    asked.add(request.had_results);
    return doubted.has(request.term) ? Promise.reject(unprovenPage()) : search(request, call);
  };
  for (const day of [secondDay, '2026-03-12']) {
    clock.moveTo(`${day}T23:00:00Z`);
    await quiet(clock);
    expect((await dailyRunOf(tracking))?.detail).not.toContain('are not read until');
  }
  expect([...asked]).toEqual([true]);
  const days = await daysOf(tracking);
  expect(days.filter((id) => !id.endsWith(firstDay))).toHaveLength(12);
  for (const { keyword, latest } of await tracking.rows('keyword_markets'))
    if (doubted.has(keyword)) expect(latest).toEqual(before.find((row) => row.keyword === keyword)?.latest);
  tracking.store.answers.search = search;
  for (let step = 0; step < 20; step++) {
    clock.advance(2 * 60_000);
    await quiet(clock);
  }
  expect((await daysOf(tracking)).filter((id) => id.endsWith('2026-03-12'))).toHaveLength(12);
});

test('an empty snapshot of today is read again when scores rest on a page of today with results, which replaces it', async () => {
  const { clock, database } = await seed(['camera']);
  const tracking = await startDailyRun({ clock, database, hasBus: true });
  const { store, rows, bus } = tracking;
  store.setPage('camera', []);
  clock.moveTo(`${secondDay}T23:10:00Z`);
  await quiet(clock);
  const score = async (resultsOn: string | undefined) => {
    const scores = { difficulty: 40, traffic: 50, scoring_version: 1, is_partial: false };
    const message = { storefront: us, keyword: 'camera', ...scores, scored_at: clock.at, source: 'sample' };
    await bus.deliver('scoring.keyword-scored.v1', 'camera', { ...message, results_on: resultsOn });
    await quiet(clock);
    const atOnce = store.searches.length;
    for (let minute = 0; minute < 5; minute++) {
      clock.advance(60_000);
      await quiet(clock);
    }
    expect(store.searches).toHaveLength(atOnce);
    return atOnce;
  };
  expect(store.searches).toHaveLength(1);
  expect([await score(undefined), await score(firstDay)]).toEqual([1, 1]);
  // The page is empty again: it is read once for each sign.
  expect(await score(secondDay)).toBe(2);
  store.setPage('camera', ['2002', '1001']);
  expect(await score(secondDay)).toBe(3);
  expect(await score(secondDay)).toBe(3);
  const ofToday = (await rows('snapshots')).filter(({ day }) => day === secondDay);
  expect(ofToday).toMatchObject([{ app_ids: ['2002', '1001'], revision: 2 }]);
  expect(await rows('keyword_markets')).toMatchObject([
    { latest: { day: secondDay, app_ids: ['2002', '1001'] }, planned_at: slotOf(1, '2026-03-12') },
  ]);
  await tracking.stop();
  const taken = messagesOf(bus.published, 'tracking.snapshot-taken.v1');
  expect(taken.map(({ day, revision }) => [day, revision]).slice(-2)).toEqual([
    [secondDay, 1],
    [secondDay, 2],
  ]);
});

test('an app that is tracked without its subtitle is read again at once', async () => {
  const { client, store, clock } = await startTracking({ dailyRun: true });
  await quiet(clock);
  store.answers.getListing = async ({ app_id: appId }) => ({
    reading: store.reading(),
    listing: { ...fakeListing(appId), subtitle: null },
  });
  await client.trackApplication({ account_id: 'ann', storefront: us, app_id: '1001' });
  await quiet(clock);
  expect(store.batches.map(({ app_ids: appIds }) => appIds)).toEqual([['1001']]);
});

test('a store outage late in the day costs no keyword its snapshot of that day', async () => {
  const { clock, database } = await seed(keywordsOf(4));
  const tracking = await startDailyRun({ clock, database, ...rareCounts });
  const recover = tracking.store.failSearches();
  clock.moveTo(`${secondDay}T22:59:30Z`);
  await quiet(clock);
  // Each step makes one more attempt, so that every keyword is tried several times.
  const pass = async (steps: number, minutes: number) => {
    for (let step = 0; step < steps; step++) {
      clock.advance(minutes * 60_000);
      await quiet(clock);
    }
  };
  const failuresBefore = tracking.store.searches.length;
  await pass(22, 2.5);
  expect(tracking.store.searches).toHaveLength(failuresBefore + 22);
  for (const { failures } of await tracking.rows('keyword_markets')) expect(failures).toBeLessThanOrEqual(1);
  expect(await dailyRunOf(tracking)).toMatchObject({
    state: 'DEGRADED',
    detail: expect.stringMatching(
      /0 of 4 .*; App Store result pages are not read until 23:\d\d UTC: The store blocks/,
    ),
  });
  expect(await tracking.metrics.registry.metrics()).toMatch(
    /shelfwise_daily_run_paused\{jobs="App Store result pages"\} 1/,
  );
  recover();
  await pass(5, 1);
  expect((await daysOf(tracking)).filter((id) => id.endsWith(secondDay))).toHaveLength(4);
});
