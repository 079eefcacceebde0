import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
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

test('writes that come together share a commit', async () => {
  const path = join(folder, 'commits.mdb');
  const written = openKeyValueStore(path);
  const file = open({ path, noSubdir: true });
  const commits = () => (file.getStats() as { lastTxnId: number }).lastTxnId;
  const before = commits();
  for (let n = 0; n < 3; n++) await written.transact(() => written.put(key(n), Buffer.from([n])));
  expect(commits() - before).toBe(3);
  await Promise.all(
    Array.from({ length: 100 }, (_, n) => written.transact(() => written.put(key(n), Buffer.from([n])))),
  );
  expect(commits() - before).toBeLessThanOrEqual(3 + 2);
  await file.close();
  await written.close();
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

test.each([0, 1, 63, 64, 65, 191, 192, 193, 5000, 20_000])(
  'a snapshot reader counts %i keys, whatever other keys follow',
  async (count) => {
    const reader = openSnapshotReader(await writeManyKeys(), () => 0);
    expect(reader.read((reads) => reads.count(longKey(3), longKey(3 + count)))).toBe(count);
    await reader.close();
  },
);

test('a snapshot reader does not count more than 20,000 keys', async () => {
  const reader = openSnapshotReader(await writeManyKeys(), () => 0);
  expect(() => reader.read((reads) => reads.count(longKey(3), longKey(20_004)))).toThrow(TooLong);
  await reader.close();
});

const longKey = (n: number) => Buffer.from([7, n >> 8, n & 255]);

/** Numbers from 0 to 20,999. Returns the path of the file. */
async function writeManyKeys(): Promise<string> {
  const path = join(folder, 'many.mdb');
  if (existsSync(path)) return path;
  const writing = openKeyValueStore(path);
  await writing.transact(() => {
    for (let n = 0; n < 21_000; n++) writing.put(longKey(n), Buffer.from([1]));
  });
  await writing.close();
  return path;
}

describe('compression', () => {
  const text = (bytes: number) => Buffer.alloc(bytes, 'the title of an app, ');
  /** The first byte says whether LMDB takes a value for a compressed one. */
  const values = [0, 1, 249, 250, 253, 254, 255].flatMap((first) =>
    [1, 4, 255, 256, 2000, 40_000, 200_000].flatMap((bytes) =>
      [text(bytes), randomBytes(bytes)].map((value) => {
        value[0] = first;
        return value;
      }),
    ),
  );
  const all = [Buffer.alloc(0), text(15_000_000), ...values];
  const numbered = (n: number) => Buffer.from([9, n]);
  const binary = {
    noSubdir: true,
    overlappingSync: false,
    encoding: 'binary',
    keyEncoding: 'binary',
    cache: false,
  } as const;

  async function writeAll(path: string): Promise<void> {
    const writing = openKeyValueStore(path);
    await writing.transact(() => {
      for (const [n, value] of all.entries()) writing.put(numbered(n), value);
    });
    await writing.close();
  }

  test.each(['new', 'made without compression'])(
    'a file that is %s returns every value as it was written',
    async (kind) => {
      const path = join(folder, `${kind}.mdb`);
      if (kind !== 'new') {
        const plain = open<Buffer, Buffer>({ ...binary, path });
        await plain.transaction(() => {
          for (const [n, value] of all.entries()) plain.putSync(Buffer.from([8, n]), value);
        });
        await plain.close();
      }
      await writeAll(path);
      const reopened = openKeyValueStore(path);
      const reader = openSnapshotReader(path, () => 0);
      for (const prefix of kind === 'new' ? [9] : [8, 9])
        for (const reads of [reopened, reader.read((one) => one)]) {
          const gets = all.map((_, n) => reads.get(Buffer.from([prefix, n])));
          expect(gets.map((value, n) => value?.equals(all[n] as Buffer))).toEqual(all.map(() => true));
          const peeks = all.map((value, n) => reads.peek(Buffer.from([prefix, n]))?.equals(value));
          expect(peeks).toEqual(all.map(() => true));
          expect(reads.peek(Buffer.from([prefix, 255]))).toBeUndefined();
          // A value that was copied stays while others are peeked at.
          expect(gets.map((value, n) => value?.equals(all[n] as Buffer))).toEqual(all.map(() => true));
          const [from, to] = [Buffer.from([prefix]), Buffer.from([prefix + 1])];
          for (const isReverse of [false, true]) {
            const listed = Array.from(reads.entries(from, to, isReverse), ({ value }) => value);
            if (isReverse) listed.reverse();
            expect(listed.map((value, n) => value.equals(all[n] as Buffer))).toEqual(all.map(() => true));
          }
        }
      await reader.close();
      await reopened.close();
    },
  );

  test('a new file is smaller than its texts', async () => {
    const path = join(folder, 'small.mdb');
    const writing = openKeyValueStore(path);
    await writing.transact(() => {
      for (let n = 0; n < 200; n++) writing.put(numbered(n), text(10_000));
    });
    await writing.close();
    expect(statSync(path).size).toBeLessThan(200_000);
  });

  test('a file in a form that is not known is refused with a sentence', async () => {
    const path = join(folder, 'form.mdb');
    const plain = open<Buffer, Buffer>({ ...binary, path });
    await plain.put(Buffer.from([0, 0, 0, 3]), Buffer.from('other'));
    await plain.close();
    expect(() => openKeyValueStore(path)).toThrow('its values are stored as "other"');
  });
});
