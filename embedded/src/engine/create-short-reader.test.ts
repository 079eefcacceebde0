import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeyValueStore, openSnapshotReader } from '../storage/key-value-store.ts';
import { createEngine } from './create-engine.ts';
import { createShortReader } from './create-short-reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'short-reader-'));
const path = join(folder, 'store.mdb');
const engine = createEngine({
  store: openKeyValueStore(path),
  now: () => new Date(0),
  onFault: (error) => {
    throw error;
  },
});
/** Each look at the clock takes this long, in ms. */
let tickMs = 0;
let nowMs = 0;
const reader = createShortReader(
  openSnapshotReader(path, () => {
    nowMs += tickMs;
    return nowMs;
  }),
);

beforeAll(async () => {
  const documents = Array.from({ length: 300 }, (_, n) => ({ _id: n, n, even: n % 2 === 0 }));
  await engine.run({ insert: 'c', documents, $db: 'd' }, {});
});
beforeEach(() => {
  tickMs = 0;
});
afterAll(async () => {
  await reader.close();
  await engine.close();
  rmSync(folder, { recursive: true });
});

const commands = {
  find: { find: 'c', filter: {}, batchSize: 1000 },
  'sorted find': { find: 'c', filter: {}, sort: { n: -1 }, batchSize: 1000 },
  count: { count: 'c', query: { even: true } },
  distinct: { distinct: 'c', key: 'even' },
  aggregate: { aggregate: 'c', pipeline: [{ $group: { _id: '$even', n: { $sum: 1 } } }], cursor: {} },
};

test.each(Object.entries(commands))('a short %s is answered as by the engine', async (_, command) => {
  const request = { ...command, $db: 'd' };
  expect(reader.run(request)).toEqual(await engine.run(request, {}));
});

// A chunk of 128 entries takes .01 ms each on this clock: a read of a few entries stays below the limit.
test.each(Object.entries(commands))('a %s that takes long is left to the engine', (_, command) => {
  tickMs = 0.01;
  expect(reader.run({ find: 'c', filter: { _id: { $in: [1, 2, 3] } }, $db: 'd' })).toBeDefined();
  expect(reader.run({ ...command, $db: 'd' })).toBeUndefined();
});

test('a find whose result needs a cursor, and a write, are left to the engine', () => {
  expect(reader.run({ find: 'c', filter: {}, batchSize: 10, $db: 'd' })).toBeUndefined();
  expect(reader.run({ insert: 'c', documents: [{ _id: 1000 }], $db: 'd' })).toBeUndefined();
});

test('a find by many values is left to the engine at once, also in the branches of an $or', () => {
  const find = (filter: object) => reader.run({ find: 'c', filter, batchSize: 1000, $db: 'd' });
  const ids = Array.from({ length: 501 }, (_, n) => n);
  const [some, rest] = [ids.slice(0, 250), ids.slice(250)];
  expect(find({ _id: { $in: ids.slice(1) } })).toBeDefined();
  expect(find({ _id: { $in: ids } })).toBeUndefined();
  expect(find({ $or: [{ _id: { $in: some } }, { n: { $in: rest } }] })).toBeUndefined();
});

test('a refused command is refused here', () => {
  expect(() => reader.run({ find: 'c', filter: { $where: '1' }, $db: 'd' })).toThrow('does not support');
});

test('a new index, and one that gets its first array, are those of the state that is read', async () => {
  const byTag = { find: 'tags', filter: { tag: { $gte: 1 } }, $db: 'd' };
  const ids = () => reader.run(byTag);
  await engine.run({ insert: 'tags', documents: [{ _id: 1, tag: 1 }], $db: 'd' }, {});
  expect(ids()).toEqual(await engine.run(byTag, {}));
  await engine.run({ createIndexes: 'tags', indexes: [{ key: { tag: 1 }, name: 'tag' }], $db: 'd' }, {});
  expect(ids()).toEqual(await engine.run(byTag, {}));
  await engine.run({ insert: 'tags', documents: [{ _id: 2, tag: [1, 2, 3] }], $db: 'd' }, {});
  const found = ids();
  expect(found).toEqual(await engine.run(byTag, {}));
  expect(found).toMatchObject({ cursor: { firstBatch: { docs: { length: 2 } } } });
});
