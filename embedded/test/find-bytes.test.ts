import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, type Engine } from '../src/engine/create-engine.ts';
import type { Batch } from '../src/engine/cursors.ts';
import { type Doc, fromBson, toBson } from '../src/semantics/bson.ts';
import { type KeyValueStore, openKeyValueStore } from '../src/storage/key-value-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'find-bytes-'));
let store: KeyValueStore;
let engine: Engine;
let gets = 0;
let scans = 0;
/** What the store answers instead of a stored document. */
let replaced = (bytes: Buffer | undefined) => bytes;

beforeAll(async () => {
  store = openKeyValueStore(join(folder, 'store.mdb'));
  engine = createEngine({
    store: {
      ...store,
      get: (key) => {
        gets += 1;
        return replaced(store.get(key));
      },
      peek: (key) => {
        gets += 1;
        return replaced(store.peek(key));
      },
      entries: (from, to, reverse) => {
        scans += 1;
        return store.entries(from, to, reverse);
      },
    },
    now: () => new Date(0),
    onFault: (error) => {
      throw error;
    },
  });
  const documents = Array.from({ length: 20 }, (_, n) => ({ _id: n, group: n % 2, text: `text ${n}` }));
  await run({ insert: 'c', documents });
  await run({ createIndexes: 'c', indexes: [{ key: { group: 1, text: 1 }, name: 'group_text' }] });
});
beforeEach(() => {
  [gets, scans] = [0, 0];
  replaced = (bytes) => bytes;
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (command: Doc) => engine.run({ ...command, $db: 'd' }, engine);

async function find(query: Doc): Promise<Buffer[]> {
  const { cursor } = await run({ find: 'c', batchSize: 1000, ...query });
  return [...(cursor as { firstBatch: Batch }).firstBatch.docs];
}

test.each([
  ['by _id', { filter: { _id: { $in: [3, 1] } } }, 2],
  ['in the order of an index', { filter: { group: 1 }, sort: { text: 1 }, skip: 2, limit: 4 }, 4],
])('documents found %s are sent as they are stored, without being decoded', async (_, query, count) => {
  const undecodable = Buffer.from('not BSON');
  replaced = () => undecodable;
  expect(await find(query)).toEqual(Array.from({ length: count }, () => undecodable));
});

test('a projection copies fields without decoding their values', async () => {
  // Decoding refuses this text: it is not UTF-8.
  const broken = Buffer.from(toBson({ _id: 1, kept: 'a?b', dropped: { deep: 'a?b', other: 1 } }));
  for (let at = broken.indexOf('?'); at >= 0; at = broken.indexOf('?')) broken[at] = 0xff;
  expect(() => fromBson(broken)).toThrow();
  replaced = () => broken;
  const [included] = await find({ filter: { _id: 1 }, projection: { 'dropped.other': 1 } });
  expect(included && fromBson(included)).toEqual({ _id: 1, dropped: { other: 1 } });
  const [excluded] = await find({ filter: { _id: 1 }, projection: { kept: 0, 'dropped.deep': 0 } });
  expect(excluded && fromBson(excluded)).toEqual({ _id: 1, dropped: { other: 1 } });
});

test('documents are looked up by _id, one read each and no scan', async () => {
  expect(await find({ filter: { _id: { $in: [1, 2, 3, 99] } } })).toHaveLength(3);
  expect({ gets, scans }).toEqual({ gets: 4, scans: 0 });
});

test('an index that provides the order is scanned once, and only the documents of the page are read', async () => {
  const page = await find({ filter: { group: 1 }, sort: { text: 1 }, skip: 3, limit: 4, batchSize: 5 });
  expect(page).toHaveLength(4);
  expect({ gets, scans }).toEqual({ gets: 4, scans: 1 });
});

test('projected documents keep their bytes while others are read', async () => {
  const projection = { text: 1 };
  const ids = Array.from({ length: 20 }, (_, n) => n);
  const found = await find({ filter: { _id: { $in: ids } }, projection });
  expect(found.map((bytes) => fromBson(bytes))).toEqual(ids.map((n) => ({ _id: n, text: `text ${n}` })));
  // Sorted in memory, all documents are read before the first is sent.
  const sorted = await find({ filter: { _id: { $in: ids } }, sort: { group: 1, _id: -1 }, projection });
  const inOrder = [...ids.filter((n) => n % 2 === 0).reverse(), ...ids.filter((n) => n % 2 === 1).reverse()];
  expect(sorted.map((bytes) => fromBson(bytes)._id)).toEqual(inOrder);
});
