import { chmodSync } from 'node:fs';
import { open } from 'lmdb';

export type Entry = { key: Buffer; value: Buffer };

/** An ordered key-value store. Writing is for the inside of `transact` only; reading is for everywhere. */
export type KeyValueStore = {
  get(key: Buffer): Buffer | undefined;
  put(key: Buffer, value: Buffer): void;
  remove(key: Buffer): void;
  /** The entries with `from <= key < to`, in the order of the keys or against it, read in pieces as they are asked for. */
  entries(from: Buffer, to: Buffer, reverse?: boolean): Iterable<Entry>;
  /** How many keys lie in `from <= key < to`; values are not read. */
  count(from: Buffer, to: Buffer): number;
  /** Runs `change` alone and resolves when it is safe on disk. What waits together shares one fsync. */
  transact<T>(change: () => T): Promise<T>;
  close(): Promise<void>;
};

/** Address space, not memory: the file grows as it is filled. */
const mapBytes = 64 * 2 ** 30;
const firstChunkSize = 32;
const maxChunkSize = 2048;

/** Opens the store in one file; the file is made when it is not there. */
export function openKeyValueStore(path: string): KeyValueStore {
  const db = open<Buffer, Buffer>({
    path,
    encoding: 'binary',
    keyEncoding: 'binary',
    noSubdir: true,
    cache: false,
    mapSize: mapBytes,
    // With overlapping syncs a transaction would resolve before its fsync.
    overlappingSync: false,
  });
  // Keys' hashes and addresses of accounts are in it.
  for (const file of [path, `${path}-lock`]) chmodSync(file, 0o600);

  function readChunk(from: Buffer, to: Buffer, reverse: boolean, limit: number): Entry[] {
    const range = reverse ? reverseRange(from, to) : { start: from, end: to };
    return Array.from(db.getRange({ ...range, reverse, limit }), ({ key, value }) => ({
      key: Buffer.from(key),
      value,
    }));
  }

  /** No read transaction is held between two pieces, so that a forgotten iterator costs nothing. */
  function* entries(from: Buffer, to: Buffer, reverse = false): Generator<Entry> {
    let [low, high] = [from, to];
    for (let size = firstChunkSize; ; size = Math.min(size * 4, maxChunkSize)) {
      const chunk = readChunk(low, high, reverse, size);
      yield* chunk;
      const last = chunk.at(-1);
      if (!last || chunk.length < size) return;
      if (reverse) high = last.key;
      else low = Buffer.concat([last.key, Buffer.from([0])]);
    }
  }

  return {
    get: (key) => db.get(key),
    put: (key, value) => db.putSync(key, value),
    remove: (key) => {
      db.removeSync(key);
    },
    entries,
    count: (from, to) => db.getKeysCount({ start: from, end: to }),
    transact: (change) => db.transaction(change),
    close: () => db.close(),
  };
}

/** LMDB takes the start of a backward range in and leaves its end out; ours is the other way round. */
function reverseRange(
  from: Buffer,
  to: Buffer,
): { start: Buffer; end: Buffer; exclusiveStart: boolean; inclusiveEnd: boolean } {
  return { start: to, end: from, exclusiveStart: true, inclusiveEnd: true };
}
