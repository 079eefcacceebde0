import fc from 'fast-check';
import { Schema } from 'mongoose';
import { recordCommands } from '../../testing/record-commands.ts';
import { useDatabase } from '../../testing/use-database.ts';
import { type Claimed, createJobQueue, type DueJob, endClaim } from '../src/jobs/job-queue.ts';

type Job = DueJob & { group: string };
type StoredJob = Partial<Job> & { claimed_by?: string; note?: string };

const minuteMs = 60_000;
const start = new Date('2026-03-10T09:00:00Z');
const after = (ms: number) => new Date(start.getTime() + ms);
/** When the jobs of the tests become due; some claims expire later. */
const overdue = after(-60 * minuteMs);
const noJitter = () => 0;

const storedJobs = new Schema<StoredJob>(
  { _id: Number, group: String, due_at: Date, failures: Number, claimed_by: String, note: String },
  { versionKey: false },
).index({ group: 1, due_at: 1 });
const database = useDatabase({
  database: 'queue',
  createModels: (connection) => connection.model('Job', storedJobs, 'jobs'),
  migrations: [],
});

/** A queue over `count` jobs of group `a`, due one millisecond after another, with ids from 0 in that order. */
async function startQueue(count: number) {
  const { connection } = await database.take();
  const model = connection.model<StoredJob>('Job');
  const queue = createJobQueue<Job, StoredJob>({ model, fields: ['group'] });
  const add = (from: number, to: number, fields: Partial<StoredJob> = {}) =>
    model.insertMany(
      Array.from({ length: to - from }, (_, index) => ({
        _id: from + index,
        group: 'a',
        due_at: new Date(overdue.getTime() + from + index),
        failures: 0,
        ...fields,
      })),
    );
  if (count > 0) await add(0, count);
  /** Claims up to `limit` due jobs of group `a` by a worker whose clock shows `at`. */
  const claim = (limit: number, at = start, lastsMs = 3 * minuteMs) =>
    queue.claim(() => queue.listDue({ group: 'a' }, at, limit), new Date(at.getTime() + lastsMs));
  const claimOne = async (at = start): Promise<Claimed<Job>> => {
    const [job] = await claim(1, at);
    if (!job) throw new Error('nothing is due');
    return job;
  };
  const stored = (_id: number) => model.findById(_id).lean<StoredJob>();
  return { queue, model, connection, add, claim, claimOne, stored };
}

const idsOf = (jobs: readonly DueJob[]) => jobs.map(({ _id }) => Number(_id));
const upTo = (count: number) => Array.from({ length: count }, (_, id) => id);
const ascending = (ids: readonly number[]) => [...ids].sort((a, b) => a - b);

test('many workers that claim at the same time get each job exactly once', async () => {
  const { claim } = await startQueue(300);
  const work = async (limit: number) => {
    const claimed: number[] = [];
    for (let jobs = await claim(limit); jobs.length > 0; jobs = await claim(limit))
      claimed.push(...idsOf(jobs));
    return claimed;
  };
  // The sizes are below, at and above the number of updates of one command.
  const claimed = (await Promise.all([7, 20, 49, 50, 51, 64, 100, 120].map(work))).flat();
  // A worker stops when others get all that it finds, five times in a row. The next one finds the rest.
  claimed.push(...(await work(100)));
  expect(ascending(claimed)).toEqual(upTo(300));
});

test('a claim takes a read and a write, and another read only when other workers claim some of its jobs', async () => {
  const { connection, queue, claim } = await startQueue(20);
  const commands = recordCommands(connection);
  expect(idsOf(await claim(5))).toEqual([0, 1, 2, 3, 4]);
  expect(commands.splice(0)).toEqual(['find jobs', 'update jobs']);
  const listed = await queue.listDue({ group: 'a' }, start, 5);
  await claim(2);
  commands.length = 0;
  const claimed = await queue.claim(async () => listed, after(3 * minuteMs));
  expect(idsOf(claimed)).toEqual([7, 8, 9]);
  expect(commands).toEqual(['update jobs', 'find jobs']);
});

test('the jobs that have been due longest are claimed first, with their fields from before the claim', async () => {
  const { claim, add } = await startQueue(5);
  await add(5, 6, { due_at: after(-120 * minuteMs), failures: 2 });
  await add(6, 7, { due_at: after(1) });
  await add(7, 8, { group: 'b' });
  const jobs = await claim(3);
  expect(idsOf(jobs)).toEqual([5, 0, 1]);
  expect(jobs[0]).toEqual({
    _id: 5,
    group: 'a',
    due_at: after(-120 * minuteMs),
    failures: 2,
    claim: expect.any(String),
    expiresAt: after(3 * minuteMs),
  });
  expect(idsOf(await claim(10))).toEqual([2, 3, 4]);
  expect(await claim(10)).toEqual([]);
});

test('jobs that are not due yet can be claimed, but not if another worker has claimed them since they were listed', async () => {
  const { queue, add } = await startQueue(0);
  await add(0, 4, { due_at: after(minuteMs) });
  const listed = await queue.listDue({ group: 'a' }, after(minuteMs), 4);
  const list = jest.fn(async () => listed);
  expect(idsOf(await queue.claim(async () => listed.slice(0, 2), after(5 * minuteMs)))).toEqual([0, 1]);
  expect(idsOf(await queue.claim(list, after(5 * minuteMs)))).toEqual([2, 3]);
  expect(list).toHaveBeenCalledTimes(1);
  expect(await queue.claim(list, after(5 * minuteMs))).toEqual([]);
  expect(list).toHaveBeenCalledTimes(6);
});

test('an expired claim remains valid until another worker claims the job', async () => {
  const { queue, claimOne, stored } = await startQueue(1);
  const job = await claimOne();
  expect(await queue.findClaimed(job, { group: 1 })).toEqual({ _id: 0, group: 'a' });
  expect(await queue.complete(job, after(100 * minuteMs), { note: 'late' })).toBe(true);
  expect(await stored(0)).toEqual({
    _id: 0,
    group: 'a',
    due_at: after(100 * minuteMs),
    failures: 0,
    note: 'late',
  });
  expect(await queue.findClaimed(job, { group: 1 })).toBeNull();
});

test('a claim that ended is lost, also when the job is claimed again until the same moment', async () => {
  const { queue, claimOne } = await startQueue(1);
  const first = await claimOne();
  await queue.requeue([first]);
  const second = await claimOne();
  expect(second.expiresAt).toEqual(first.expiresAt);
  expect(await queue.complete(first, after(50 * minuteMs))).toBe(false);
  expect(await queue.complete(second, after(50 * minuteMs))).toBe(true);
  expect(await queue.complete(second, after(60 * minuteMs))).toBe(false);
});

test('of workers with clocks minutes apart that list a job at the same time, one gets it', async () => {
  const { queue } = await startQueue(20);
  const listed = await queue.listDue({ group: 'a' }, start, 20);
  const clocks = [0, 1, 2, 3, 4, 5].map((minutes) => after(minutes * minuteMs));
  // The claims of the slow clocks have expired by the fast ones, but each claims only what it has listed.
  const claims = clocks.map((at) => queue.claim(async () => listed, new Date(at.getTime() + minuteMs)));
  expect(ascending(idsOf((await Promise.all(claims)).flat()))).toEqual(upTo(20));
});

test('a job that always fails is retried less and less often, and does not block the others', async () => {
  const { queue, claim, stored } = await startQueue(4);
  let at = start;
  const delays: number[] = [];
  const completed: number[] = [];
  while (delays.length < 7) {
    const [job] = await claim(1, at);
    if (!job) throw new Error('nothing is due');
    if (job._id === 0) {
      expect(job.failures).toBe(delays.length);
      await queue.fail(job, true, { at, random: noJitter, set: { note: `failed ${job.failures}` } });
      const dueAt = (await stored(0))?.due_at ?? at;
      delays.push((dueAt.getTime() - at.getTime()) / minuteMs);
      // The others are claimed first, because they have been due longer.
      at = dueAt;
    } else {
      completed.push(Number(job._id));
      await queue.complete(job, after(24 * 60 * minuteMs));
    }
  }
  expect(delays).toEqual([1, 2, 4, 8, 16, 30, 30]);
  expect(completed).toEqual([1, 2, 3]);
  expect(await stored(0)).toMatchObject({ failures: 7, note: 'failed 6' });
  const [job] = await claim(1, at);
  if (job) await queue.complete(job, after(24 * 60 * minuteMs));
  expect(await stored(0)).toMatchObject({ failures: 0 });
});

test('a job that is not to blame is retried after a minute, and its failure is not counted', async () => {
  const { queue, model, claimOne, stored } = await startQueue(1);
  await model.updateOne({ _id: 0 }, { $set: { failures: 5 } });
  expect(await queue.fail(await claimOne(), false, { at: start, random: noJitter })).toBe(true);
  expect(await stored(0)).toEqual({ _id: 0, group: 'a', due_at: after(minuteMs), failures: 5 });
});

test('requeued jobs are due as before the claim, and no failure is counted', async () => {
  const { queue, model, claim } = await startQueue(120);
  const before = await model.find().sort({ _id: 1 }).lean();
  const jobs = await claim(120);
  expect(await queue.countDue({ group: 'a' }, start)).toBe(0);
  await queue.requeue(jobs);
  expect(await model.find().sort({ _id: 1 }).lean()).toEqual(before);
  const [job, ...others] = await claim(120);
  if (job) await queue.requeue([job], after(minuteMs));
  await queue.requeue(others);
  expect(await queue.countDue({ group: 'a' }, start)).toBe(119);
});

test('a job is dropped only while its document matches the condition', async () => {
  const { queue, claim, claimOne, stored } = await startQueue(1);
  const job = await claimOne();
  expect(await queue.drop(job, { where: { note: 'gone' } })).toBe(false);
  expect(await stored(0)).toMatchObject({ due_at: job.expiresAt, claimed_by: job.claim });
  expect(await queue.drop(job, { where: { note: null }, set: { note: 'gone' }, unset: ['failures'] })).toBe(
    true,
  );
  expect(await stored(0)).toEqual({ _id: 0, group: 'a', note: 'gone' });
  expect(await claim(1, after(10_000 * minuteMs))).toEqual([]);
});

test('the count of due jobs stops at its limit', async () => {
  const { queue } = await startQueue(30);
  expect(await queue.countDue({ group: 'a' }, start)).toBe(30);
  expect(await queue.countDue({ group: 'a' }, start, 10)).toBe(10);
  expect(await queue.countDue({ group: 'b' }, start, 10)).toBe(0);
  expect(await queue.countDue({ group: 'a' }, new Date(overdue.getTime() + 4))).toBe(5);
});

test('the backlog counts the due jobs of several scopes, and says since when the first of them waits', async () => {
  const { queue } = await startQueue(30);
  const scopes = [{ group: 'a' }, { group: 'b' }];
  expect(await queue.readBacklog(scopes, start)).toEqual({ due: 30, oldestDueAt: overdue });
  expect(await queue.readBacklog([{ group: 'b' }], start)).toEqual({ due: 0, oldestDueAt: null });
});

test('the next due time is that of the earliest job, due or not, or when its claim expires', async () => {
  const { queue, model, add, claim } = await startQueue(1);
  const scopes = [{ group: 'a' }, { group: 'b' }];
  expect(await queue.nextDueAt(scopes)).toEqual(overdue);
  await claim(1);
  expect(await queue.nextDueAt(scopes)).toEqual(after(3 * minuteMs));
  await add(1, 2, { group: 'b', due_at: after(minuteMs) });
  expect(await queue.nextDueAt(scopes)).toEqual(after(minuteMs));
  expect(await queue.nextDueAt([{ group: 'a' }])).toEqual(after(3 * minuteMs));
  await model.updateMany({}, { $unset: { due_at: '' } });
  expect(await queue.nextDueAt(scopes)).toBeNull();
});

/** What one worker does to the job of its last claim, or to the clocks. */
const step = fc.record({
  worker: fc.nat(2),
  does: fc.constantFrom('claim', 'extend', 'complete', 'fail', 'requeue', 'drop', 'plan', 'pass'),
  minutes: fc.integer({ min: 1, max: 4 }),
});

test('in any order of calls, a job changes only under its last claim and is claimed only when it is due', async () => {
  const { queue, model, claim } = await startQueue(0);
  /** The clocks of the workers are a minute apart. */
  const clockOf = (worker: number, passedMs: number) => after(passedMs + (worker - 1) * minuteMs);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      await model.collection.replaceOne(
        { _id: 0 as never },
        { group: 'a', due_at: overdue, failures: 0 },
        { upsert: true },
      );
      /** The queue as it should be. */
      const expected = { dueAt: overdue as Date | null, failures: 0, heldBy: null as string | null };
      const claims = new Map<number, Claimed<Job>>();
      let passedMs = 0;
      for (const { worker, does, minutes } of steps) {
        const at = clockOf(worker, passedMs);
        const later = new Date(at.getTime() + minutes * minuteMs);
        const job = claims.get(worker);
        const isHeld = job !== undefined && job.claim === expected.heldBy;
        if (does === 'pass') {
          passedMs += minutes * minuteMs;
          continue;
        }
        if (does === 'plan') {
          await model.updateOne({ _id: 0 }, { $set: { due_at: later, failures: 0 }, $unset: endClaim });
          Object.assign(expected, { dueAt: later, failures: 0, heldBy: null });
        } else if (does === 'claim') {
          const [claimed] = await claim(1, at);
          expect(claimed !== undefined).toBe(expected.dueAt !== null && expected.dueAt <= at);
          if (!claimed) continue;
          expect([claimed.due_at, claimed.failures]).toEqual([expected.dueAt, expected.failures]);
          claims.set(worker, claimed);
          Object.assign(expected, { dueAt: claimed.expiresAt, heldBy: claimed.claim });
        } else if (job === undefined) {
          continue;
        } else if (does === 'extend') {
          expect(await queue.extend(job, later)).toBe(isHeld);
          if (isHeld) expected.dueAt = later;
        } else if (does === 'complete') {
          expect(await queue.complete(job, later)).toBe(isHeld);
          if (isHeld) Object.assign(expected, { dueAt: later, failures: 0, heldBy: null });
        } else if (does === 'fail') {
          expect(await queue.fail(job, true, { at, random: noJitter })).toBe(isHeld);
          const delayMs = Math.min(2 ** job.failures, 30) * minuteMs;
          const dueAt = new Date(at.getTime() + delayMs);
          if (isHeld) Object.assign(expected, { dueAt, failures: job.failures + 1, heldBy: null });
        } else if (does === 'requeue') {
          await queue.requeue([job]);
          if (isHeld) Object.assign(expected, { dueAt: job.due_at, heldBy: null });
        } else if (does === 'drop') {
          expect(await queue.drop(job, {})).toBe(isHeld);
          if (isHeld) Object.assign(expected, { dueAt: null, heldBy: null });
        }
        const stored = await model.collection.findOne<StoredJob>({ _id: 0 as never });
        const { due_at: dueAt = null, failures, claimed_by: heldBy = null } = stored ?? {};
        expect({ dueAt, failures, heldBy }).toEqual(expected);
      }
    }),
    { numRuns: 50 },
  );
});
