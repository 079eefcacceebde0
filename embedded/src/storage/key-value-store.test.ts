import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type KeyValueStore,
  openKeyValueStore,
  openSnapshotReader,
  type Reads,
  TooLong,
} from './key-value-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'kv-'));
const key = (n: number) => Buffer.from([1, n]);
let store: KeyValueStore;

beforeAll(async () => {
  store = openKeyValueStore(join(folder, 'store.mdb'));
  await store.transact(() => {
    for (let n = 0; n < 200; n++) store.put(key(n), Buffer.from([n]));
  });
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  [0, 200],
  [3, 36],
  [10, 11],
  [5, 5],
])(
  'entries from %i to %i include the start and exclude the end, once each, in both directions',
  (from, to) => {
    const expected = Array.from({ length: to - from }, (_, n) => from + n);
    const forwards = Array.from(store.entries(key(from), key(to)), ({ value }) => value[0]);
    expect(forwards).toEqual(expected);
    const backwards = Array.from(store.entries(key(from), key(to), true), ({ value }) => value[0]);
    expect(backwards).toEqual(expected.reverse());
    expect(store.count(key(from), key(to))).toBe(to - from);
  },
);

test('a transaction sees its own writes', async () => {
  const values = await store.transact(() => {
    store.put(Buffer.from([2]), Buffer.from([7]));
    const put = store.get(Buffer.from([2]));
    store.remove(Buffer.from([2]));
    return [put?.[0], store.get(Buffer.from([2]))];
  });
  expect(values).toEqual([7, undefined]);
});

test('a snapshot reader gives up within a chunk whose entries take long to read, before it hands out the first', async () => {
  let nowMs = 0;
  let looks = 0;
  const reader = openSnapshotReader(join(folder, 'store.mdb'), () => {
    looks += 1;
    nowMs += 0.5;
    return nowMs;
  });
  const seen: number[] = [];
  const readAll = (reads: Reads) => {
    for (const { key } of reads.entries(Buffer.from([1, 0]), Buffer.from([1, 200]))) seen.push(key[1] ?? 0);
  };
  expect(() => reader.read(readAll)).toThrow(TooLong);
  expect(seen).toEqual([]);
  // One look at the start, and one for each entry until 2 ms have passed.
  expect(looks).toBe(6);
  // An abandoned chunk leaves nothing behind.
  expect(reader.read((reads) => reads.get(Buffer.from([1, 7])))).toEqual(Buffer.from([7]));
  await reader.close();
});
