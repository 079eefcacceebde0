import { randomUUID } from 'node:crypto';
import { createLogger } from '@shelfwise/runtime/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import type { Connection } from 'mongoose';
import { createManualClock, type ManualClock } from '../../../testing/manual-clock.ts';
import { useDatabaseServer } from '../../../testing/use-database-server.ts';
import { createPlanPlaces } from '../src/plan-places.ts';
import { createReservedPlacesStore } from '../src/stores/reserved-places-store.ts';

const server = useDatabaseServer();
let connection: Connection;
let clock: ManualClock;
beforeEach(async () => {
  const logger = createLogger({ name: 'test', level: 'silent', destination: process.stdout });
  const database = `places_${randomUUID().slice(0, 18)}`;
  connection = await connectMongo({ uri: server(), database, logger });
  clock = createManualClock('2026-03-10T12:00:00Z');
});
afterEach(async () => {
  await connection.dropDatabase();
  await connection.close();
});

const rows = () => connection.collection<{ _id: string }>('rows');
const countRows = () => rows().countDocuments();
const { signal } = new AbortController();
const requestOf = (cap: number | null, wanted = 1) =>
  ({ accountId: 'ann', item: 'keywords', cap, wanted, countRows, signal }) as const;

/** What one copy of the service uses. A wait takes time on the test's clock only. */
const createCopy = () =>
  createPlanPlaces({
    reservedPlaces: createReservedPlacesStore(connection),
    now: clock.now,
    sleep: async (ms) => {
      clock.advance(ms);
      await new Promise((resolve) => setImmediate(resolve));
    },
  });

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
  const copies = [createCopy(), createCopy()];
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

test('a call gets as many places as there are', async () => {
  const copy = createCopy();
  expect(await copy.write(requestOf(5, 3), work)).toHaveLength(3);
  expect(await copy.write(requestOf(5, 3), work)).toHaveLength(2);
  expect(await copy.write(requestOf(5, 3), work)).toBeNull();
  expect(await copy.write(requestOf(null, 3), work)).toHaveLength(3);
  await rows().deleteMany({});
  expect(await copy.write(requestOf(5, 9), work)).toHaveLength(5);
});

test('without a cap no places are reserved', async () => {
  await createCopy().write(requestOf(null), work);
  expect(await connection.collection('reserved_places').countDocuments()).toBe(0);
});

test('a crash before the rows are written keeps their places for 10 s at most', async () => {
  const copy = createCopy();
  const dying = copy.write(requestOf(2, 2), { ...work, write: () => Promise.reject(crash()) });
  await expect(dying).rejects.toThrow('connection lost');
  expect(await copy.write(requestOf(2), work)).toBeNull();
  expect(await countRows()).toBe(0);
  clock.advance(8000);
  expect(await copy.write(requestOf(2, 2), work)).toHaveLength(2);
});

test('a crash after the rows are written counts them twice for 10 s at most, and never too few', async () => {
  const copy = createCopy();
  const write = async (granted: number) => {
    await work.write(granted);
    throw crash();
  };
  await expect(copy.write(requestOf(2), { ...work, write })).rejects.toThrow('connection lost');
  expect(await countRows()).toBe(1);
  expect(await copy.write(requestOf(2), work)).toBeNull();
  clock.advance(8000);
  expect(await copy.write(requestOf(2), work)).toHaveLength(1);
  expect(await copy.write(requestOf(2), work)).toBeNull();
  expect(await countRows()).toBe(2);
});

test('a write that fails gives its places back at once', async () => {
  const copy = createCopy();
  const refused = copy.write(requestOf(1), {
    ...work,
    write: () => Promise.reject(new Error('a duplicate')),
  });
  await expect(refused).rejects.toThrow('a duplicate');
  expect(await copy.write(requestOf(1), work)).toHaveLength(1);
});

test('a call that stood still until its place was given away takes its row back', async () => {
  const [frozen, other] = [createCopy(), createCopy()];
  let thaw = () => {};
  const thawed = new Promise<void>((resolve) => (thaw = resolve));
  let isReserved = () => {};
  const reserved = new Promise<void>((resolve) => (isReserved = resolve));
  const late = frozen.write(requestOf(1), {
    ...work,
    async write(granted) {
      isReserved();
      await thawed;
      return work.write(granted);
    },
  });
  await reserved;
  clock.advance(10_000);
  const kept = await other.write(requestOf(1), work);
  thaw();
  expect(await late).toBeNull();
  expect(await rows().find({}).toArray()).toEqual([{ _id: kept?.[0] }]);
});
