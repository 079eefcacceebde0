import { type Doc, toBson } from '../bson.ts';
import { CommandError } from '../semantics/command-error.ts';

const idleMs = 10 * 60_000;
const maxOpen = 1000;
const defaultFirstBatch = 101;
const defaultNextBatch = 1000;
/** A batch may pass it by its last document, which is at most 16 MB: together under the 48 MB of a message. */
const maxBatchBytes = 16 * 1024 * 1024;

type Cursor = {
  namespace: string;
  docs: Iterator<Doc>;
  /** Read ahead, so that a cursor at its end is closed with its last batch. */
  next: IteratorResult<Doc>;
  client: object;
  usedAt: number;
};

export type OpenOptions = {
  namespace: string;
  docs: Iterable<Doc>;
  client: object;
  batchSize?: number;
  single?: boolean;
};

export type Cursors = ReturnType<typeof createCursors>;

/** The open cursors: a thousand at most, closed when idle for 10 minutes and when the connection that read last closes. */
export function createCursors({ now }: { now(): Date }) {
  const open = new Map<number, Cursor>();
  let lastId = 0;

  /** Answers the first batch; a cursor stays open when there is more. */
  function start({
    namespace,
    docs,
    client,
    batchSize = defaultFirstBatch,
    single = false,
  }: OpenOptions): Doc {
    const iterator = docs[Symbol.iterator]();
    const cursor = { namespace, docs: iterator, next: iterator.next(), client, usedAt: now().getTime() };
    const firstBatch = readBatch(cursor, batchSize);
    if (cursor.next.done || single) return reply(0, namespace, { firstBatch });
    if (open.size >= maxOpen) {
      throw new CommandError(
        1,
        'InternalError',
        `the embedded database keeps at most ${maxOpen} cursors open`,
      );
    }
    lastId += 1;
    open.set(lastId, cursor);
    return reply(lastId, namespace, { firstBatch });
  }

  function getMore(id: number, namespace: string, client: object, batchSize = defaultNextBatch): Doc {
    const cursor = open.get(id);
    if (!cursor || cursor.namespace !== namespace) {
      throw new CommandError(43, 'CursorNotFound', `cursor id ${id} not found`);
    }
    Object.assign(cursor, { client, usedAt: now().getTime() });
    const nextBatch = readBatch(cursor, batchSize);
    if (cursor.next.done) open.delete(id);
    return reply(cursor.next.done ? 0 : id, namespace, { nextBatch });
  }

  function closeWhere(unwanted: (cursor: Cursor) => boolean): void {
    for (const [id, cursor] of open) if (unwanted(cursor)) open.delete(id);
  }

  return {
    start,
    getMore,
    /** Was it open? */
    close: (id: number) => open.delete(id),
    closeOn: (namespace: string) => closeWhere((cursor) => cursor.namespace === namespace),
    closeOf: (client: object) => closeWhere((cursor) => cursor.client === client),
    closeIdle: () => closeWhere((cursor) => cursor.usedAt < now().getTime() - idleMs),
    count: () => open.size,
  };
}

function reply(id: number, ns: string, batch: Doc): Doc {
  return { cursor: { id: BigInt(id), ns, ...batch } };
}

function readBatch(cursor: Cursor, size: number): Doc[] {
  const batch: Doc[] = [];
  let bytes = 0;
  while (!cursor.next.done && batch.length < size && bytes < maxBatchBytes) {
    const doc = cursor.next.value;
    batch.push(doc);
    bytes += toBson(doc).length;
    cursor.next = cursor.docs.next();
  }
  return batch;
}
