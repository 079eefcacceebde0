import type { Connection } from 'mongoose';
import { createManualClock } from '../../testing/manual-clock.ts';
import { useDatabase } from '../../testing/use-database.ts';
import { createLease, createLeaseModel, keepHeld } from '../src/mongo/lease.ts';

const database = useDatabase({ database: 'lease', createModels: createLeaseModel, migrations: [] });
let connection: Connection;
beforeEach(async () => {
  ({ connection } = await database.take());
});

/** Copies of a service, each with a clock of its own. */
function startCopies(...starts: string[]) {
  return starts.map((start) => {
    const clock = createManualClock(start);
    return {
      clock,
      lease: createLease({ connection, name: 'work', leaseMs: 6000, monotonicMs: clock.monotonicMs }),
    };
  });
}

const noon = '2026-03-10T12:00:00Z';

test('of many copies that ask at the same time, exactly one gets the lease', async () => {
  const copies = startCopies(...Array.from({ length: 8 }, () => noon));
  const held = await Promise.all(copies.map(({ lease }) => lease.hold()));
  expect(held.filter(Boolean)).toHaveLength(1);
  expect(copies.map(({ lease }) => lease.isHeld())).toEqual(held);
});

test('a holder that renews keeps the lease; one that is gone loses it, whatever the clocks of the copies say', async () => {
  const [one, other] = startCopies(noon, '2026-03-11T18:00:00Z');
  if (!one || !other) throw new Error('two copies');
  expect(await one.lease.hold()).toBe(true);
  for (let second = 0; second < 20; second++) {
    one.clock.advance(1000);
    other.clock.advance(1000);
    expect([await one.lease.hold(), await other.lease.hold()]).toEqual([true, false]);
  }
  other.clock.advance(5000);
  expect(await other.lease.hold()).toBe(false);
  other.clock.advance(1000);
  expect(await other.lease.hold()).toBe(true);
  // The first one stood still meanwhile.
  one.clock.advance(6000);
  expect(one.lease.isHeld()).toBe(false);
  expect(await one.lease.hold()).toBe(false);
});

test('clocks that are set forward or back neither end a lease nor keep that of a copy that is gone', async () => {
  const [one, other] = startCopies(noon, noon);
  if (!one || !other) throw new Error('two copies');
  await one.lease.hold();
  for (const setByMs of [60_000, -3_600_000]) {
    expect(await other.lease.hold()).toBe(false);
    one.clock.setBy(setByMs);
    other.clock.setBy(setByMs);
    expect([one.lease.isHeld(), await other.lease.hold()]).toEqual([true, false]);
  }
  other.clock.advance(6000);
  expect(await other.lease.hold()).toBe(true);
});

test('a released lease is free at once, and a recent renewal costs no query', async () => {
  const [one, other] = startCopies(noon, noon);
  if (!one || !other) throw new Error('two copies');
  await one.lease.hold();
  await one.lease.hold();
  const [stored] = await connection.collection('held_leases').find({}).toArray();
  expect(stored).toMatchObject({ _id: 'work', renewals: 1 });
  await one.lease.release();
  expect(one.lease.isHeld()).toBe(false);
  expect(await other.lease.hold()).toBe(true);
  await one.lease.release();
  expect(await one.lease.hold()).toBe(false);
});

test('work under a lease survives renewals that fail, and ends when the lease may be with another copy', async () => {
  jest.useFakeTimers();
  try {
    let isHeld = true;
    const lease = { hold: () => Promise.reject(new Error('no database')), isHeld: () => isHeld };
    const lostError = () => new Error('another copy continues');
    const { lost, stop } = keepHeld(lease, { leaseMs: 6000, lostError });
    await jest.advanceTimersByTimeAsync(5000);
    expect(lost.aborted).toBe(false);
    isHeld = false;
    await jest.advanceTimersByTimeAsync(1000);
    expect(lost.reason).toEqual(new Error('another copy continues'));
    stop();
  } finally {
    jest.useRealTimers();
  }
});
