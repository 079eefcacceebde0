import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { createGate } from '../../testing/gate.ts';
import { createManualClock, type ManualClock } from '../../testing/manual-clock.ts';
import { useDatabase } from '../../testing/use-database.ts';
import { type Sleep, sleep as systemSleep } from '../src/concurrency/sleep.ts';
import { type CapReservations, createCapReservations } from '../src/mongo/cap-reservations.ts';
import { createReservationStore } from '../src/mongo/reservation-store.ts';

const database = useDatabase({
  database: 'caps',
  createModels: (of) => void createReservationStore(of),
  migrations: [],
});
let connection: Connection;
let clock: ManualClock;
beforeEach(async () => {
  ({ connection } = await database.take());
  clock = createManualClock('2026-03-10T12:00:00Z');
});

const rows = () => connection.collection<{ _id: string }>('rows');
const countRows = () => rows().countDocuments();
const { signal } = new AbortController();
const requestOf = (cap: number | null, wanted = 1) =>
  ({ accountId: 'ann', item: 'rows', cap, wanted, countRows, signal }) as const;

/** Takes time on the test's clock only. */
const sleepOnClock: Sleep = async (ms) => {
  clock.advance(ms);
  await new Promise((resolve) => setImmediate(resolve));
};

/** What one copy of the service uses. */
function createCopy(sleep: Sleep = sleepOnClock) {
  const copy: CapReservations = createCapReservations({
    reservations: createReservationStore(connection),
    now: clock.now,
    sleep,
  });
  /** The written rows. */
  const write = async (...call: Parameters<typeof copy.write<string[]>>) =>
    (await copy.write(...call)).written;
  return { write, tryWrite: copy.write };
}

/** Writes `granted` rows. */
const work = {
  async write(granted: number): Promise<string[]> {
    const ids = Array.from({ length: granted }, () => randomUUID());
    await rows().insertMany(ids.map((_id) => ({ _id })));
    return ids;
  },
  async undo(ids: string[]): Promise<void> {
    await rows().deleteMany({ _id: { $in: ids } });
  },
};

/** The error of a process that ends: the database does not confirm, and nothing that follows happens. */
function crash(): Error {
  return Object.assign(new Error('connection lost'), { name: 'MongoNetworkError' });
}

test('two copies with 50 calls at the same time write exactly as many rows as the cap allows', async () => {
  // The calls wait for each other, so that each pause must take the same time for all.
  const copies = [createCopy(systemSleep), createCopy(systemSleep)];
  let most = 0;
  const write = async (granted: number) => {
    const ids = await work.write(granted);
    most = Math.max(most, await countRows());
    return ids;
  };
  const written = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      copies[index % 2]?.write(requestOf(10), { write, undo: work.undo }),
    ),
  );
  expect([written.filter((ids) => ids !== null).length, await countRows(), most]).toEqual([10, 10, 10]);
});

test('a call gets as much room as there is', async () => {
  const copy = createCopy();
  expect(await copy.write(requestOf(5, 3), work)).toHaveLength(3);
  expect(await copy.write(requestOf(5, 3), work)).toHaveLength(2);
  expect(await copy.write(requestOf(5, 3), work)).toBeNull();
  expect(await copy.write(requestOf(null, 3), work)).toHaveLength(3);
  await rows().deleteMany({});
  expect(await copy.write(requestOf(5, 9), work)).toHaveLength(5);
});

test('without a cap nothing is reserved', async () => {
  await createCopy().write(requestOf(null), work);
  expect(await connection.collection('reservations').countDocuments()).toBe(0);
});

const tryAgain = { written: null, isFull: false };
const full = { written: null, isFull: true };

test('a crash before the rows are written keeps their reservation for 10 s at most; until then other calls shall try again', async () => {
  const copy = createCopy();
  const dying = copy.write(requestOf(2, 2), { ...work, write: () => Promise.reject(crash()) });
  await expect(dying).rejects.toThrow('connection lost');
  expect(await copy.tryWrite(requestOf(2), work)).toEqual(tryAgain);
  expect(await countRows()).toBe(0);
  clock.advance(8000);
  expect(await copy.write(requestOf(2, 2), work)).toHaveLength(2);
  expect(await copy.tryWrite(requestOf(2), work)).toEqual(full);
});

test('a crash after the rows are written counts them twice for 10 s at most, and never too few', async () => {
  const copy = createCopy();
  const write = async (granted: number) => {
    await work.write(granted);
    throw crash();
  };
  await expect(copy.write(requestOf(2), { ...work, write })).rejects.toThrow('connection lost');
  expect(await countRows()).toBe(1);
  expect(await copy.tryWrite(requestOf(2), work)).toEqual(tryAgain);
  // Where the rows alone reach the cap, the answer is known.
  expect(await copy.tryWrite(requestOf(1), work)).toEqual(full);
  clock.advance(8000);
  expect(await copy.write(requestOf(2), work)).toHaveLength(1);
  expect(await copy.tryWrite(requestOf(2), work)).toEqual(full);
  expect(await countRows()).toBe(2);
});

test('a call that gets some room learns whether the rest is taken or only reserved', async () => {
  const copy = createCopy();
  const dying = copy.write(requestOf(5, 2), { ...work, write: () => Promise.reject(crash()) });
  await expect(dying).rejects.toThrow('connection lost');
  const some = await copy.tryWrite(requestOf(5, 4), work);
  expect([some.written?.length, some.isFull]).toEqual([3, false]);
  clock.advance(10_000);
  const rest = await copy.tryWrite(requestOf(5, 4), work);
  expect([rest.written?.length, rest.isFull]).toEqual([2, true]);
});

test('a write that fails gives its reservation back at once', async () => {
  const copy = createCopy();
  const refused = copy.write(requestOf(1), {
    ...work,
    write: () => Promise.reject(new Error('a duplicate')),
  });
  await expect(refused).rejects.toThrow('a duplicate');
  expect(await copy.write(requestOf(1), work)).toHaveLength(1);
});

/** A call that is paused until `resume`: after it has made its reservation, before it writes a row. */
async function startPaused(cap: number, request = requestOf(cap)) {
  const { opened: resumed, open: resume } = createGate();
  let outcome: ReturnType<ReturnType<typeof createCopy>['tryWrite']> | undefined;
  await new Promise<void>((isReserved) => {
    outcome = createCopy().tryWrite(request, {
      ...work,
      async write(granted) {
        isReserved();
        await resumed;
        return work.write(granted);
      },
    });
  });
  const end = () => {
    resume();
    return outcome;
  };
  return { end };
}

test('a call that was paused until its room was given away takes its row back', async () => {
  const paused = await startPaused(1);
  clock.advance(10_000);
  const kept = await createCopy().write(requestOf(1), work);
  expect(await paused.end()).toEqual(full);
  expect(await rows().find({}).toArray()).toEqual([{ _id: kept?.[0] }]);
});

test('a paused call takes its row back also when the call that got its room has not written yet', async () => {
  const first = await startPaused(1);
  clock.advance(10_000);
  const second = await startPaused(1);
  expect(await first.end()).toEqual(tryAgain);
  expect((await second.end())?.written).toHaveLength(1);
  expect(await countRows()).toBe(1);
});

test('a paused call that goes on while another call takes its expired reservation keeps its row, and the other gets none', async () => {
  const paused = await startPaused(1);
  clock.advance(10_000);
  let late: unknown;
  const countThenResume = async () => {
    const count = await countRows();
    late ??= await paused.end();
    return count;
  };
  const other = createCopy().tryWrite({ ...requestOf(1), countRows: countThenResume }, work);
  expect(await other).toEqual(full);
  expect(late).toMatchObject({ written: [expect.any(String)] });
  expect(await countRows()).toBe(1);
});

test('a paused call takes its row back when the room that it found free is reserved in the same moment', async () => {
  const [checking, reserved] = [createGate(), createGate()];
  let counts = 0;
  const countSlowly = async () => {
    counts += 1;
    if (counts === 2) {
      checking.open();
      await reserved.opened;
    }
    return countRows();
  };
  const paused = await startPaused(2, { ...requestOf(2), countRows: countSlowly });
  clock.advance(10_000);
  const holder = await startPaused(2);
  let late: ReturnType<typeof paused.end>;
  const countThenResume = async () => {
    const count = await countRows();
    late ??= paused.end();
    await checking.opened;
    return count;
  };
  const other = createCopy().write(
    { ...requestOf(2), countRows: countThenResume },
    {
      ...work,
      async write(granted) {
        reserved.open();
        await late;
        return work.write(granted);
      },
    },
  );
  expect(await other).toHaveLength(1);
  expect(await late).toEqual(tryAgain);
  expect((await holder.end())?.written).toHaveLength(1);
  expect(await countRows()).toBe(2);
});
