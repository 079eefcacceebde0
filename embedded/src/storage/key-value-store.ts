import { chmodSync } from 'node:fs';
import { open } from 'lmdb';
import { prepareFiles } from './prepare-files.ts';

export type Entry = { key: Buffer; value: Buffer };

/** An ordered key-value store. Writes are allowed inside `transact` only, reads everywhere. */
export type KeyValueStore = {
  get(key: Buffer): Buffer | undefined;
  put(key: Buffer, value: Buffer): void;
  remove(key: Buffer): void;
  /** The entries with `from <= key < to`, in key order or in reverse. They are read lazily in chunks. */
  entries(from: Buffer, to: Buffer, reverse?: boolean): Iterable<Entry>;
  /** The number of keys with `from <= key < to`. Does not read the values. */
  count(from: Buffer, to: Buffer): number;
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
  prepareFiles(path);
  const db = open<Buffer, Buffer>({
    path,
    encoding: 'binary',
    keyEncoding: 'binary',
    noSubdir: true,
    cache: false,
    mapSize: mapBytes,
    // With overlapping syncs, a transaction would resolve before its fsync.
    overlappingSync: false,
  });
  // The file holds hashes of API keys and the email addresses of accounts.
  for (const file of [path, `${path}-lock`]) chmodSync(file, 0o600);

  function readChunk(from: Buffer, to: Buffer, reverse: boolean, limit: number): Entry[] {
    const range = reverse ? reverseRange(from, to) : { start: from, end: to };
    return Array.from(db.getRange({ ...range, reverse, limit }), ({ key, value }) => ({
      key: Buffer.from(key),
      value,
    }));
  }

  /** No read transaction stays open between two chunks, so an abandoned iterator costs nothing. */
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
    transact: async (change) => {
      try {
        return await db.transaction(change);
      } catch (error) {
        throw await readCommitError(error);
      }
    },
    close: () => db.close(),
  };
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
