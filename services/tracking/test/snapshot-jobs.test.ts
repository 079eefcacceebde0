import { createCounterStore } from '@shelfwise/runtime/mongo-queries/counter-store';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { createSnapshotJobs } from '../src/daily-run/snapshot-jobs.ts';
import { createDueMarketStore } from '../src/stores/due-market-store.ts';
import { createMarketStore } from '../src/stores/market-store.ts';
import { createTrackedKeywordStore } from '../src/stores/tracked-keyword-store.ts';
import { createHarness, us } from './start-tracking.ts';

const { startTracking } = createHarness();

/** Markets that are due, as many as are given, each with its number of watchers; nothing reads them by itself. */
async function startDue(watchers: readonly number[], fields: object = {}) {
  const clock = createManualClock('2026-03-11T12:00:00Z');
  const tracking = await startTracking({ clock });
  const { connection } = tracking;
  const dueAt = new Date('2026-03-11T11:00:00Z');
  const plan = { planned_at: dueAt, due_at: dueAt, failures: 0, ...fields };
  await connection.collection<{ _id: number }>('markets').insertMany(
    watchers.map((count, index) => ({
      _id: index + 1,
      keyword: `keyword ${index + 1}`,
      ...us,
      watchers: count,
      ...plan,
    })),
  );
  // The models of the service are on this connection already.
  const own = connection.useDb(tracking.database);
  const markets = createMarketStore(own, createCounterStore(own));
  const dueMarkets = createDueMarketStore(markets);
  let steps = 0;
  const taken: number[] = [];
  const work = createSnapshotJobs({
    store: 'ITUNES',
    dueMarkets: {
      ...dueMarkets,
      watchersBelow(store, below) {
        steps += 1;
        return dueMarkets.watchersBelow(store, below);
      },
    },
    trackedKeywords: Object.assign(createTrackedKeywordStore(own), { countWatchers: async () => 1 }),
    snapshotTaker: {
      takeToday: () => Promise.reject(new Error('nobody waits')),
      takeOf: () => Promise.reject(new Error('not of a day')),
      takeInTurn: async ({ _id }) => {
        taken.push(_id);
      },
    },
    now: clock.now,
    random: () => 0,
  });
  const claimIds = async (count: number, isTrial = false) =>
    (await work.claim(count, isTrial)).map(({ market }) => market._id);
  const stepsOf = async (does: () => Promise<unknown>) => {
    steps = 0;
    await does();
    return steps;
  };
  return { ...tracking, work, claimIds, stepsOf, taken, markets };
}

const from = (first: number, last: number) =>
  Array.from({ length: Math.abs(last - first) + 1 }, (_, index) =>
    first < last ? first + index : first - index,
  );

test('a claim goes on where the last one ended, however many numbers of watchers occur', async () => {
  const { claimIds, stepsOf } = await startDue(from(1, 90));
  expect(await claimIds(30)).toEqual(from(90, 61));
  expect(await stepsOf(async () => expect(await claimIds(30)).toEqual(from(60, 31)))).toBeLessThanOrEqual(31);
});

test('a claim looks at a hundred numbers of watchers at most, and takes the oldest then', async () => {
  const { claimIds, stepsOf, connection } = await startDue(from(1, 260));
  const later = new Date('2026-03-11T20:00:00Z');
  await connection
    .collection<{ _id: number }>('markets')
    .updateMany({ _id: { $gt: 110 } }, { $set: { due_at: later } });
  expect(await stepsOf(async () => expect(await claimIds(10)).toHaveLength(10))).toBe(100);
  expect(await stepsOf(async () => expect(await claimIds(10)).toHaveLength(10))).toBeLessThanOrEqual(100);
  expect(await claimIds(10)).not.toEqual([]);
});

test('what comes due with more watchers than all others goes first within a minute', async () => {
  const { claimIds, clock, connection } = await startDue([...from(1, 40), 100]);
  const of = { _id: 41 };
  const markets = connection.collection<{ _id: number }>('markets');
  await markets.updateOne(of, { $set: { due_at: new Date('2026-03-11T12:00:01Z') } });
  expect(await claimIds(5)).toEqual(from(40, 36));
  clock.advance(60_000);
  expect(await claimIds(5)).toEqual([41, ...from(35, 32)]);
});

test('in a backlog what has failed comes after all else; a trial takes the oldest that has not', async () => {
  const { claimIds, connection } = await startDue([9, 8, 7, 1, 2, 3]);
  const markets = connection.collection<{ _id: number }>('markets');
  await markets.updateMany({ watchers: { $gt: 6 } }, { $set: { failures: 1 } });
  await markets.updateOne({ _id: 4 }, { $set: { due_at: new Date('2026-03-11T10:00:00Z') } });
  expect(await claimIds(1, true)).toEqual([4]);
  expect(await claimIds(4)).toEqual([6, 5, 1, 2]);
});

test('a job that fails while the whole store is away soon has its next try, and no failure more', async () => {
  const { work, rows } = await startDue([1], { failures: 5 });
  const [job] = await work.claim(1, true);
  if (!job) throw new Error('it is due');
  await work.fail(job, false);
  expect(await rows('markets')).toMatchObject([{ failures: 5, due_at: new Date('2026-03-11T12:01:00Z') }]);
});

test('a claim that has not the time for a reading any more is prolonged before the store is asked', async () => {
  const { work, clock, rows, taken } = await startDue([1]);
  const [job] = await work.claim(1, false);
  if (!job) throw new Error('it is due');
  clock.advance(150_000);
  expect(await work.run(job, { requestId: 'request-1', signal: new AbortController().signal })).toBe('done');
  expect(taken).toEqual([1]);
  expect(await rows('markets')).toMatchObject([{ due_at: new Date('2026-03-11T12:05:30Z') }]);
});

test('what is planned already is not planned anew by whoever begins to track it', async () => {
  const { markets, rows, clock } = await startDue([3]);
  const [before] = await rows('markets');
  const plannedAt = new Date('2026-03-12T05:00:00Z');
  await markets.watch([{ id: 1, plannedAt }], clock.at);
  expect(await rows('markets')).toEqual([{ ...before, watchers: 4, watched_at: clock.at }]);
});
