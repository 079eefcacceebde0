import { chmodSync } from 'node:fs';
import { type Database, open, type RootDatabase } from 'lmdb';
import { prepareFiles } from './prepare-files.ts';

export type Entry = { key: Buffer; value: Buffer };

/** Reads of an ordered key-value store. */
export type Reads = {
  get(key: Buffer): Buffer | undefined;
  /** The same, without a copy: the bytes may change at the next read, and after this turn of the event loop. */
  peek(key: Buffer): Buffer | undefined;
  /** The entries with `from <= key < to`, in key order or in reverse. They are read lazily in chunks. */
  entries(from: Buffer, to: Buffer, reverse?: boolean): Iterable<Entry>;
  /** The number of keys with `from <= key < to`. Does not read the values. */
  count(from: Buffer, to: Buffer): number;
};

/** An ordered key-value store. Writes are allowed inside `transact` only, reads everywhere. */
export type KeyValueStore = Reads & {
  put(key: Buffer, value: Buffer): void;
  remove(key: Buffer): void;
  /** Runs `change` exclusively and resolves once it is on disk. Concurrent transactions share one fsync. */
  transact<T>(change: () => T): Promise<T>;
  close(): Promise<void>;
};

/** Reserves address space, not memory. The file grows with its content. */
const mapBytes = 64 * 2 ** 30;
const firstChunkSize = 32;
const maxChunkSize = 2048;

/** Creates the file if it does not exist. */
export function openKeyValueStore(path: string): KeyValueStore {
  const { db, close } = openDatabase(path);
  return {
    get: (key) => db.get(key),
    peek: (key) => peekIn(db, key),
    put: (key, value) => db.putSync(key, value),
    remove: (key) => {
      db.removeSync(key);
    },
    entries: (from, to, reverse) => readEntries(db, { from, to, reverse, maxChunkSize }),
    count: (from, to) => db.getKeysCount({ start: from, end: to }),
    transact: async (change) => {
      try {
        return await db.transaction(change);
      } catch (error) {
        throw await readCommitError(error);
      }
    },
    close,
  };
}

/** Thrown by a read that would hold its thread for too long. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
}

export type SnapshotReader = {
  /**
   * Runs `read` on the newest state that is on disk, and stops it with `TooLong` when it takes more than a few ms. It
   * sees one state to its end.
   */
  read<T>(read: (reads: Reads) => T): T;
  close(): Promise<void>;
};

/** A read that lasts longer than this is stopped, in ms. What it does with one entry, or a count, comes on top. */
const maxReadMs = 2;
const shortChunkSize = 128;
/** LMDB counts them in about 1 ms. */
const maxCountedKeys = 20_000;
/** How many keys LMDB passes at first to find whether a range has more. */
const firstPassedKeys = 64;

/**
 * Opens a store that another thread of this process writes to, for short reads. A write that has been acknowledged is
 * visible to the next read. On this rely the rows that the only copy of a service remembers (`runtime/src/mongo/row-memory.ts`), and
 * groups that skip events of other topics (`bus/event-consumer.ts`).
 */
export function openSnapshotReader(
  path: string,
  monotonicMs: () => number = () => performance.now(),
): SnapshotReader {
  const { db, close } = openDatabase(path);
  let endsAtMs = 0;
  const checkTime = () => {
    if (monotonicMs() > endsAtMs) throw new TooLong();
  };
  const reads: Reads = {
    get(key) {
      checkTime();
      return db.get(key);
    },
    peek(key) {
      checkTime();
      return peekIn(db, key);
    },
    *entries(from, to, reverse) {
      // Both while a chunk is read, which takes long for large documents, and while it is used.
      for (const entry of readEntries(db, {
        from,
        to,
        reverse,
        maxChunkSize: shortChunkSize,
        onRead: checkTime,
      })) {
        checkTime();
        yield entry;
      }
    },
    count(from, to) {
      checkTime();
      return countUpTo(db, from, to);
    },
  };
  return {
    read(read) {
      // LMDB would otherwise use the state of the first read in this turn of the event loop.
      db.resetReadTxn();
      endsAtMs = monotonicMs() + maxReadMs;
      return read(reads);
    },
    close,
  };
}

type Values = Database<Buffer, Buffer>;

/**
 * Passes keys in steps that double: a step does not end at the end of the range, so one of thousands would take a
 * millisecond for a range of three keys.
 * @throws TooLong when there are more than `maxCountedKeys`
 */
function countUpTo(db: Values, from: Buffer, to: Buffer): number {
  let start = from;
  let passed = 0;
  for (let step = firstPassedKeys; ; step *= 2) {
    const offset = Math.min(step, maxCountedKeys - passed);
    const key = keyAt(db, { start, end: to, offset });
    if (!key) return passed + db.getKeysCount({ start, end: to });
    if (passed + offset === maxCountedKeys) throw new TooLong();
    start = key;
    passed += offset;
  }
}

/** The key after `offset` others. Undefined if the range ends before. */
function keyAt(db: Values, range: { start: Buffer; end: Buffer; offset: number }): Buffer | undefined {
  for (const key of db.getKeys({ ...range, limit: 1 })) return key;
  return undefined;
}

function openDatabase(path: string): { db: Values; close(): Promise<void> } {
  prepareFiles(path);
  const root = open<Buffer, Buffer>({
    ...binary,
    path,
    noSubdir: true,
    mapSize: mapBytes,
    // With overlapping syncs, a transaction would resolve before its fsync.
    overlappingSync: false,
  });
  // The file holds hashes of API keys and the email addresses of accounts.
  for (const file of [path, `${path}-lock`]) chmodSync(file, 0o600);
  return { db: openValues(root), close: () => root.close() };
}

/** LMDB reads into a buffer of its own, which is longer than the value. */
function peekIn(db: Values, key: Buffer): Buffer | undefined {
  const bytes = db.getBinaryFast(key);
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

const binary = { encoding: 'binary', keyEncoding: 'binary', cache: false } as const;

/** One of the keys that the catalog reserves. Its value says how the values of the file are stored. */
const formKey = Buffer.from([0, 0, 0, 3]);
const compressedForm = 'lz4';
const compression = {
  /** In bytes. Shorter values are stored as they are. */
  threshold: 256,
  /** Empty, but LMDB needs one. Its own makes a file 2 % smaller and may change with its version. */
  dictionary: Buffer.alloc(8),
};

/** The entries of the file, compressed. A file that was made without compression stays so. */
function openValues(root: RootDatabase<Buffer, Buffer>): Values {
  const form = root.get(formKey)?.toString() ?? markIfNew(root);
  // Some of its values begin like compressed ones.
  if (form === null) return root;
  if (form !== compressedForm)
    throw new Error(`its values are stored as "${form}", which this version of Shelfwise does not read`);
  // Null is the name of the root database, which the types do not know.
  return root.openDB({ ...binary, name: null as unknown as string, compression });
}

/** Null when the file has entries. */
function markIfNew(root: RootDatabase<Buffer, Buffer>): string | null {
  return root.transactionSync(() => {
    for (const _ of root.getKeys({ limit: 1 })) return null;
    root.putSync(formKey, Buffer.from(compressedForm));
    return compressedForm;
  });
}

type EntryRange = {
  from: Buffer;
  to: Buffer;
  reverse: boolean | undefined;
  maxChunkSize: number;
  /** Called for each entry of a chunk as it is read. */
  onRead?: () => void;
};

/** No read transaction stays open between two chunks, so an abandoned iterator costs nothing. */
function* readEntries(
  db: Values,
  { from, to, reverse = false, maxChunkSize, onRead }: EntryRange,
): Generator<Entry> {
  let [low, high] = [from, to];
  for (let size = firstChunkSize; ; size = Math.min(size * 4, maxChunkSize)) {
    const range = reverse ? reverseRange(low, high) : { start: low, end: high };
    const chunk: Entry[] = [];
    // Keys and values are copies.
    for (const { key, value } of db.getRange({ ...range, reverse, limit: size })) {
      onRead?.();
      chunk.push({ key, value });
    }
    yield* chunk;
    const last = chunk.at(-1);
    if (!last || chunk.length < size) return;
    if (reverse) high = last.key;
    else low = Buffer.concat([last.key, Buffer.from([0])]);
  }
}

/** A reverse range of LMDB includes its start and excludes its end. Ours is the other way round. */
function reverseRange(
  from: Buffer,
  to: Buffer,
): { start: Buffer; end: Buffer; exclusiveStart: boolean; inclusiveEnd: boolean } {
  return { start: to, end: from, exclusiveStart: true, inclusiveEnd: true };
}

/** LMDB rejects a failed commit with a general error. `commitError`, a promise that rejects, has the reason. */
async function readCommitError(error: unknown): Promise<unknown> {
  const { commitError } = (error ?? {}) as { commitError?: Promise<never> };
  return commitError ? commitError.catch((reason: unknown) => reason) : error;
}
