import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { type TestDatabase, useDatabase } from '../../../testing/use-database.ts';
import { createBuckets } from '../src/budget/buckets.ts';
import { storeFetchSchema } from '../src/schema.ts';
import { createClock } from '../src/store-health/clock.ts';
import { createFakeClock } from './fake-clock.ts';

const database = useDatabase(storeFetchSchema);
let shared: TestDatabase;
beforeEach(async () => {
  shared = await database.take();
});

function startProcess(now: () => Date, connection: Connection = shared.connection) {
  return createBuckets({ connection, clock: createClock(now), random: Math.random });
}

test('a call is taken while one is left, and refused until the next one comes back', async () => {
  const clock = createFakeClock();
  const buckets = startProcess(clock.now);
  const bucket = { id: `itunes:${randomUUID()}`, perMinute: 3 };
  for (let i = 1; i <= 3; i++) {
    const fullAt = new Date(clock.now().getTime() + i * 20_000);
    expect(await buckets.take(bucket, true)).toEqual({ isTaken: true, fullAt });
  }
  expect(await buckets.take(bucket, true)).toMatchObject({ isTaken: false });
  await clock.advance(19_999);
  expect(await buckets.take(bucket, true)).toMatchObject({ isTaken: false });
  await clock.advance(1);
  expect(await buckets.take(bucket, true)).toMatchObject({ isTaken: true });
});

test('the daily run takes only calls that would overflow', async () => {
  const clock = createFakeClock();
  const buckets = startProcess(clock.now);
  const bucket = { id: `itunes:${randomUUID()}`, perMinute: 20 };
  expect(await buckets.take(bucket, false)).toMatchObject({ isTaken: true });
  expect(await buckets.take(bucket, false)).toMatchObject({ isTaken: false });
  expect(await buckets.take(bucket, true)).toMatchObject({ isTaken: true });
  await clock.advance(6024);
  expect(await buckets.take(bucket, false)).toMatchObject({ isTaken: false });
  await clock.advance(1);
  expect(await buckets.take(bucket, false)).toMatchObject({ isTaken: true });
});

test('processes that take calls at the same time share one budget', async () => {
  const clock = createFakeClock();
  const processes = [0, 1, 2].map((n) => startProcess(clock.now, database.view(shared, n)));
  const bucket = { id: `itunes:${randomUUID()}`, perMinute: 20 };
  const takeAll = async (isUrgent: boolean) => {
    const taken = await Promise.all(
      processes.flatMap((buckets) => Array.from({ length: 8 }, () => buckets.take(bucket, isUrgent))),
    );
    return taken.filter(({ isTaken }) => isTaken).length;
  };
  expect(await takeAll(true)).toBe(20);
  await clock.advance(3000);
  expect(await takeAll(true)).toBe(1);
  await clock.advance(60_000);
  expect(await takeAll(false)).toBe(1);
});

test('each address has its own budget', async () => {
  const buckets = startProcess(createFakeClock().now);
  const [one, other] = [1, 2].map((n) => ({ id: `play:${n}-${randomUUID()}`, perMinute: 1 }));
  if (!one || !other) throw new Error('two buckets are needed');
  expect(await buckets.take(one, true)).toMatchObject({ isTaken: true });
  expect(await buckets.take(one, true)).toMatchObject({ isTaken: false });
  expect(await buckets.take(other, true)).toMatchObject({ isTaken: true });
});

test('an unavailable database is SERVICE_UNAVAILABLE', async () => {
  const { connection } = await database.own();
  const clock = createClock(() => new Date());
  const buckets = createBuckets({ connection, clock, random: Math.random });
  await connection.close();
  const taken = buckets.take({ id: 'itunes:direct', perMinute: 20 }, true);
  await expect(taken).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('a bucket without a stored time counts as empty', async () => {
  const clock = createFakeClock();
  const { connection } = shared;
  const buckets = createBuckets({ connection, clock: createClock(clock.now), random: Math.random });
  const bucket = { id: `itunes:${randomUUID()}`, perMinute: 20 };
  await connection.collection('buckets').insertOne({ _id: bucket.id as never });
  expect(await buckets.take(bucket, true)).toEqual({
    isTaken: false,
    fullAt: new Date(clock.now().getTime() + 60_000),
  });
  await clock.advance(3000);
  expect(await buckets.take(bucket, true)).toMatchObject({ isTaken: true });
});

test('a process that loses every round has no call left, and does not report the database as unavailable', async () => {
  const { connection } = shared;
  const buckets = createBuckets({
    connection,
    random: () => 0,
    clock: createClock(() => new Date()),
  });
  const bucket = { id: `itunes:${randomUUID()}`, perMinute: 20 };
  await buckets.take(bucket, true);
  const lost = jest.spyOn(connection.models.Bucket ?? {}, 'updateOne' as never);
  lost.mockResolvedValue({ modifiedCount: 0 } as never);
  expect(await buckets.take(bucket, true)).toMatchObject({ isTaken: false });
  lost.mockRestore();
  expect(await buckets.take(bucket, true)).toMatchObject({ isTaken: true });
});

test('after a lost round a process pauses, at random and longer each time', async () => {
  const clock = createFakeClock();
  const { connection } = shared;
  const pauses: number[] = [];
  const buckets = createBuckets({
    connection,
    random: () => 0.5,
    clock: {
      now: clock.now,
      after(ms, run) {
        if (ms < 5000) pauses.push(ms);
        return createClock(clock.now).after(ms, run);
      },
    },
  });
  const bucket = { id: `itunes:${randomUUID()}`, perMinute: 20 };
  await buckets.take(bucket, true);
  const lost = jest.spyOn(connection.models.Bucket ?? {}, 'updateOne' as never);
  for (let i = 0; i < 7; i++) lost.mockResolvedValueOnce({ modifiedCount: 0 } as never);
  expect(await buckets.take(bucket, true)).toMatchObject({ isTaken: true });
  expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 64]);
});

test('a database that does not answer is SERVICE_UNAVAILABLE after five seconds', async () => {
  const clock = createFakeClock();
  const { connection } = shared;
  const buckets = createBuckets({ connection, clock, random: Math.random });
  jest.spyOn(connection.models.Bucket ?? {}, 'findById' as never).mockReturnValue({
    lean: () => ({ exec: () => new Promise(() => {}) }),
  } as never);
  const taken = expect(buckets.take({ id: 'itunes:direct', perMinute: 20 }, true)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  await clock.advance(5000);
  await taken;
});
