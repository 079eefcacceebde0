import { randomBytes } from 'node:crypto';
import fs, {
  appendFileSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkDatabaseFile } from './check-database-file.ts';
import { readMeta } from './database-pages.ts';
import { openKeyValueStore } from './key-value-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'check-'));
const sound = join(folder, 'sound.mdb');
const path = join(folder, 'store.mdb');
const pageSize = 4096;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Enough for two levels of branch pages, free pages, and values on pages of their own. */
beforeAll(async () => {
  const store = openKeyValueStore(sound);
  const key = (n: number) => Buffer.from(`key ${String(n).padStart(6, '0')} ${'k'.repeat(200)}`);
  for (let batch = 0; batch < 4; batch += 1) {
    await store.transact(() => {
      for (let n = batch * 500; n < batch * 500 + 500; n += 1)
        store.put(key(n), n % 50 === 0 ? randomBytes(9000) : Buffer.alloc(80, n));
    });
  }
  await store.transact(() => {
    for (let n = 0; n < 2000; n += 3) store.remove(key(n));
  });
  await store.close();
});

beforeEach(() => {
  rmSync(path, { recursive: true, force: true });
  copyFileSync(sound, path);
});

/** Overwrites a page, by default with bytes that no page starts with. */
function overwritePage(page: number, content = Buffer.alloc(pageSize, 0xa5)): void {
  const file = openSync(path, 'r+');
  writeSync(file, content, 0, pageSize, page * pageSize);
  closeSync(file);
}

/** Replaces the first child of the data's root by the root. */
function pointRootToItself(): void {
  const bytes = readFileSync(path);
  const root = readMeta((offset, length) => bytes.subarray(offset, offset + length)).roots.at(-1)?.page ?? 0;
  const page = bytes.subarray(root * pageSize);
  page.writeUInt32LE(root, 24 + page.readUInt16LE(24));
  writeFileSync(path, bytes);
}

/** The pages that the check reads: all but free ones and the ends of long values. */
function findPagesInUse(): number[] {
  const before = readFileSync(path);
  const used: number[] = [];
  for (let page = 0; page < before.length / pageSize; page += 1) {
    overwritePage(page);
    try {
      checkDatabaseFile(path);
    } catch {
      used.push(page);
    }
    overwritePage(page, before.subarray(page * pageSize, (page + 1) * pageSize));
  }
  return used;
}

test('a sound database passes, and every page of its trees was read', () => {
  const check = checkDatabaseFile(path);
  expect(check).toMatchObject({ bytes: statSync(path).size, isComplete: true });
  // Both meta pages are read, too.
  expect(findPagesInUse()).toHaveLength((check?.pages ?? 0) + 2);
});

test('a file that does not exist passes: the start creates it', () => {
  expect(checkDatabaseFile(join(folder, 'absent.mdb'))).toBeUndefined();
});

test.each<[string, RegExp, () => void]>([
  [
    'half of its size',
    /is cut off: it ends before page \d+ of \d+/,
    () => truncateSync(path, statSync(path).size / 2),
  ],
  ['one page short', /is cut off|is damaged/, () => truncateSync(path, statSync(path).size - pageSize)],
  ['cut inside the second page', /is cut off/, () => truncateSync(path, 6000)],
  ['cut inside the first page', /is not a database/, () => truncateSync(path, 100)],
  ['empty', /is empty/, () => truncateSync(path, 0)],
  ['garbage in its first page', /first page is damaged/, () => overwritePage(0)],
  ['garbage in its second page', /second page cannot be read/, () => overwritePage(1)],
  ['text', /is not a database/, () => writeFileSync(path, 'This is no database. '.repeat(1000))],
  [
    'zeros after its first two pages',
    /is damaged: page \d+ cannot be read/,
    () => {
      const size = statSync(path).size;
      truncateSync(path, 2 * pageSize);
      truncateSync(path, size);
    },
  ],
  ['a circle of pages', /is damaged: page \d+ cannot be read/, pointRootToItself],
  [
    'a folder',
    /is not a file/,
    () => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
])('a database file that is %s is refused with a sentence', (_damage, sentence, damage) => {
  damage();
  // Ten seconds: a check that follows a circle would never end.
  expect(() => checkDatabaseFile(path, 10_000)).toThrow(sentence);
});

test('a file that is longer than its last page passes', () => {
  appendFileSync(path, Buffer.alloc(3 * pageSize));
  expect(checkDatabaseFile(path)?.isComplete).toBe(true);
});

test('a check with no time left reports that it is incomplete, but still finds a file that is cut off', () => {
  expect(checkDatabaseFile(path, 0)).toMatchObject({ isComplete: false });
  truncateSync(path, statSync(path).size / 2);
  expect(() => checkDatabaseFile(path, 0)).toThrow(/is cut off/);
});

/** The bytes of a database before and after it grows. */
async function growDatabase(): Promise<{ before: Buffer; after: Buffer }> {
  const growing = join(folder, 'growing.mdb');
  const put = async (name: string, bytes: number) => {
    const store = openKeyValueStore(growing);
    await store.transact(() => void store.put(Buffer.from(name), randomBytes(bytes)));
    await store.close();
    return readFileSync(growing);
  };
  return { before: await put('first', 80), after: await put('second', 400_000) };
}

test('a file that grows meanwhile is not taken for one that is cut off', async () => {
  const { before, after } = await growDatabase();
  expect(after.length).toBeGreaterThan(before.length);
  for (const step of ['fstatSync', 'readSync'] as const) {
    for (const call of [1, 2]) {
      writeFileSync(path, before);
      const original = fs[step] as (...args: unknown[]) => unknown;
      let calls = 0;
      const spy = jest.spyOn(fs, step).mockImplementation(((...args: unknown[]) => {
        calls += 1;
        if (calls === call) writeFileSync(path, after);
        return original(...args);
      }) as never);
      checkDatabaseFile(path, 0);
      expect(calls).toBe(2);
      spy.mockRestore();
    }
  }
});
