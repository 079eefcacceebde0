import { createCounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { recordCommands } from '../../../testing/record-commands.ts';
import { createDayRun } from '../src/daily-run/day-run.ts';
import { createSnapshotJobs } from '../src/daily-run/snapshot-jobs.ts';
import { createOnKeywordsScored } from '../src/events/on-keywords-scored.ts';
import { createDueKeywordMarketStore } from '../src/stores/due-keyword-market-store.ts';
import { createKeywordMarketStore } from '../src/stores/keyword-market-store.ts';
import { createTrackedKeywordStore } from '../src/stores/tracked-keyword-store.ts';
import { createHarness, us } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

/** Due keywords, one per given tracker count, in a service without the daily run. */
async function startDue(trackerCounts: readonly number[], fields: object = {}) {
  const clock = createManualClock('2026-03-11T12:00:00Z');
  const tracking = await startTracking({ clock });
  const { connection } = tracking;
  const dueAt = new Date('2026-03-11T11:00:00Z');
  const plan = { planned_at: dueAt, due_at: dueAt, failures: 0, ...fields };
  await connection.collection<{ _id: number }>('keyword_markets').insertMany(
    trackerCounts.map((count, index) => ({
      _id: index + 1,
      keyword: `keyword ${index + 1}`,
      ...us,
      tracker_count: count,
      ...plan,
    })),
  );
  await connection.collection('tracked_keywords').insertMany(
    trackerCounts.map((_, index) => ({
      account_id: 'ann',
      listing_id: 1,
      keyword_id: index + 1,
      active: true,
    })),
  );
  // This connection already has the models of the service.
  const own = connection.useDb(tracking.database);
  const keywordMarkets = createKeywordMarketStore(own, createCounterStore(own));
  const dueKeywordMarkets = createDueKeywordMarketStore(keywordMarkets);
  let steps = 0;
  const taken: { id: number; trackerCount: number }[] = [];
  const jobs = createSnapshotJobs({
    store: 'ITUNES',
    dueKeywordMarkets: {
      ...dueKeywordMarkets,
      nextTrackerCount(store, below) {
        steps += 1;
        return dueKeywordMarkets.nextTrackerCount(store, below);
      },
    },
    trackedKeywords: createTrackedKeywordStore(own),
    takeSnapshot: {
      forDailyRun: async ({ _id }, { trackerCount }) => {
        taken.push({ id: _id, trackerCount });
      },
    },
    now: clock.now,
    random: () => 0,
  });
  const claimIds = async (count: number, isTrial = false) =>
    (await jobs.claim(count, isTrial)).map(({ _id }) => _id);
  const stepsOf = async (does: () => Promise<unknown>) => {
    steps = 0;
    await does();
    return steps;
  };
  return { ...tracking, jobs, claimIds, stepsOf, taken, keywordMarkets, dueKeywordMarkets };
}

const from = (first: number, last: number) =>
  Array.from({ length: Math.abs(last - first) + 1 }, (_, index) =>
    first < last ? first + index : first - index,
  );

test('a claim continues where the last one ended, for any number of tracker counts', async () => {
  const { claimIds, stepsOf } = await startDue(from(1, 90));
  expect(await claimIds(30)).toEqual(from(90, 61));
  expect(await stepsOf(async () => expect(await claimIds(30)).toEqual(from(60, 31)))).toBeLessThanOrEqual(31);
});

test('a claim looks at a hundred tracker counts at most and is then filled with the longest-due keywords', async () => {
  const { claimIds, stepsOf, connection } = await startDue(from(1, 260));
  const later = new Date('2026-03-11T20:00:00Z');
  await connection
    .collection<{ _id: number }>('keyword_markets')
    .updateMany({ _id: { $gt: 110 } }, { $set: { due_at: later } });
  expect(await stepsOf(async () => expect(await claimIds(10)).toHaveLength(10))).toBe(100);
  expect(await stepsOf(async () => expect(await claimIds(10)).toHaveLength(10))).toBeLessThanOrEqual(100);
  expect(await claimIds(10)).not.toEqual([]);
});

test('a keyword that becomes due with the most trackers is read first within a minute', async () => {
  const { claimIds, clock, connection } = await startDue([...from(1, 40), 100]);
  const of = { _id: 41 };
  const markets = connection.collection<{ _id: number }>('keyword_markets');
  await markets.updateOne(of, { $set: { due_at: new Date('2026-03-11T12:00:01Z') } });
  expect(await claimIds(5)).toEqual(from(40, 36));
  clock.advance(60_000);
  expect(await claimIds(5)).toEqual([41, ...from(35, 32)]);
});

test('in a backlog failed keywords come last; a trial takes the longest-due one that has not failed', async () => {
  const { claimIds, connection } = await startDue([9, 8, 7, 1, 2, 3]);
  const markets = connection.collection<{ _id: number }>('keyword_markets');
  await markets.updateMany({ tracker_count: { $gt: 6 } }, { $set: { failures: 1 } });
  await markets.updateOne({ _id: 4 }, { $set: { due_at: new Date('2026-03-11T10:00:00Z') } });
  expect(await claimIds(1, true)).toEqual([4]);
  expect(await claimIds(4)).toEqual([6, 5, 1, 2]);
});

test('a keyword that fails while the whole store is down is retried soon, and its failure is not counted', async () => {
  const { jobs, rows } = await startDue([1], { failures: 5 });
  const [job] = await jobs.claim(1, true);
  if (!job) throw new Error('it is due');
  await jobs.fail(job, false);
  expect(await rows('keyword_markets')).toMatchObject([
    { failures: 5, due_at: new Date('2026-03-11T12:01:00Z') },
  ]);
});

test('a claim that is too short for a reading is extended before the store is called', async () => {
  const { jobs, clock, rows, taken } = await startDue([1]);
  const [job] = await jobs.claim(1, false);
  if (!job) throw new Error('it is due');
  clock.advance(150_000);
  expect(await jobs.run(job, { requestId: 'request-1', signal: new AbortController().signal })).toBe('done');
  expect(taken).toEqual([{ id: 1, trackerCount: 1 }]);
  expect(await rows('keyword_markets')).toMatchObject([{ due_at: new Date('2026-03-11T12:05:30Z') }]);
});

test('40 jobs that start at the same time take two queries before they read', async () => {
  const { jobs, connection, taken } = await startDue(from(1, 40));
  const claimed = await jobs.claim(40, false);
  const commands = recordCommands(connection);
  const call = { requestId: 'daily-run-1', signal: new AbortController().signal };
  await Promise.all(claimed.map((job) => jobs.run(job, call)));
  expect([...commands].sort()).toEqual(['aggregate tracked_keywords', 'find keyword_markets']);
  expect(taken.map(({ trackerCount }) => trackerCount)).toEqual(claimed.map(() => 1));
  expect(jobs.maxConcurrency).toBe(32);
});

test('the scores of 40 keywords are stored with one command, and only where they are newer', async () => {
  const { keywordMarkets, dueKeywordMarkets, clock, connection } = await startDue(from(1, 40));
  const stores = { keywordMarkets, dueKeywordMarkets };
  const onScored = createOnKeywordsScored({ ...stores, wakeSnapshots() {}, now: clock.now });
  const scored = from(1, 40).map((id) => ({
    storefront: us,
    keyword: `keyword ${id}`,
    difficulty: id,
    traffic: 50,
    scoring_version: 1,
    scored_at: clock.at,
    is_partial: false,
    source: 'sample',
  }));
  const commands = recordCommands(connection);
  await onScored(scored);
  expect(commands).toEqual(['update keyword_markets']);
  await onScored(scored.map((message) => ({ ...message, traffic: 1 })));
  const stored = await keywordMarkets.findMany([1, 40]);
  expect(stored.map(({ scores }) => scores)).toMatchObject([
    { difficulty: 1, traffic: 50 },
    { difficulty: 40, traffic: 50 },
  ]);
});

test('a planned keyword keeps its plan when another account starts to track it', async () => {
  const { keywordMarkets, rows, clock } = await startDue([3]);
  const [before] = await rows('keyword_markets');
  const plannedAt = new Date('2026-03-12T05:00:00Z');
  await keywordMarkets.addTrackers([{ id: 1, plannedAt }], clock.at);
  expect(await rows('keyword_markets')).toEqual([{ ...before, tracker_count: 4, last_tracked_at: clock.at }]);
});

test('a run over one day counts only the keywords that it reads as left, not those that are no longer tracked', async () => {
  const { dueKeywordMarkets } = await startDue([2, 0, 1]);
  const read: number[] = [];
  const ends: unknown[] = [];
  const { kind, begin } = createDayRun({
    dueKeywordMarkets,
    snapshots: { findTaken: async () => new Set<number>() } as never,
    takeSnapshot: { ofDay: async (_day, { _id }) => void read.push(_id) },
    runs: { setVisited: async () => true, end: async (_id, end) => void ends.push(end) },
    logger: { error: () => {} },
    now: () => new Date('2026-03-11T12:00:00Z'),
  });
  const { signal } = new AbortController();
  const begun = await begin('2026-03-10', 'request-1')(new Date('2026-03-11T12:00:00Z'), signal);
  const run = { ...begun, run_id: 'run-1' } as never;
  expect(await kind.readProgress(run)).toMatchObject({ isOver: false, done: 1, left: 1 });
  await kind.work(run, signal);
  expect(read).toEqual([1, 3]);
  expect(ends).toMatchObject([{ done: 2, failed: 0, left: 0 }]);
});
