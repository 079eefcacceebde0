import type { Doc } from '../semantics/bson.ts';
import { CommandError } from '../semantics/command-error.ts';

const idleMs = 10 * 60_000;
const maxOpenCursors = 1000;
const defaultFirstBatchSize = 101;
const defaultNextBatchSize = 1000;
/** A batch may exceed this by its last document, which has at most 16 MB. The reply stays below the limit of 48 MB. */
const maxBatchBytes = 16 * 1024 * 1024;

type Cursor = {
  namespace: string;
  docs: Iterator<Buffer>;
  /** One document is read ahead, so that the last batch also closes the cursor. */
  next: IteratorResult<Buffer>;
  /** The connection that last read from the cursor. */
  connection: object;
  /** Milliseconds since 1970. */
  lastUsedAt: number;
};

export type OpenCursorOptions = {
  namespace: string;
  /** The encoded documents. */
  docs: Iterable<Buffer>;
  connection: object;
  /** Documents in the first batch. Undefined means 101. */
  batchSize: number | undefined;
  /** Closes the cursor after the first batch even if there are more documents. */
  singleBatch?: boolean;
};

/** The encoded documents of a reply. They are sent as they are. */
export class Batch {
  readonly docs: readonly Buffer[];

  constructor(docs: readonly Buffer[]) {
    this.docs = docs;
  }
}

export type Cursors = ReturnType<typeof createCursors>;

/**
 * Holds up to 1,000 open cursors. A cursor closes after 10 idle minutes, or with the connection that last read from
 * it.
 */
export function createCursors({ now }: { now(): Date }) {
  const openCursors = new Map<number, Cursor>();
  let lastId = 0;

  /** Replies with the first batch. The cursor stays open if there are more documents; otherwise its id is 0. */
  function open({
    namespace,
    docs,
    connection,
    batchSize = defaultFirstBatchSize,
    singleBatch = false,
  }: OpenCursorOptions): Doc {
    const iterator = docs[Symbol.iterator]();
    const cursor = {
      namespace,
      docs: iterator,
      next: iterator.next(),
      connection,
      lastUsedAt: now().getTime(),
    };
    const firstBatch = readBatch(cursor, batchSize);
    if (cursor.next.done || singleBatch) return createReply(0, namespace, { firstBatch });
    if (openCursors.size >= maxOpenCursors) {
      throw new CommandError(
        1,
        'InternalError',
        `the embedded database allows at most ${maxOpenCursors} open cursors`,
      );
    }
    lastId += 1;
    openCursors.set(lastId, cursor);
    return createReply(lastId, namespace, { firstBatch });
  }

  /** Replies with the next batch, of 1,000 documents by default. Refuses an unknown or closed cursor. */
  function getMore(id: number, namespace: string, connection: object, batchSize = defaultNextBatchSize): Doc {
    const cursor = openCursors.get(id);
    if (!cursor || cursor.namespace !== namespace) {
      throw new CommandError(43, 'CursorNotFound', `cursor id ${id} not found`);
    }
    Object.assign(cursor, { connection, lastUsedAt: now().getTime() });
    const nextBatch = readBatch(cursor, batchSize);
    if (cursor.next.done) openCursors.delete(id);
    return createReply(cursor.next.done ? 0 : id, namespace, { nextBatch });
  }

  function closeWhere(shouldClose: (cursor: Cursor) => boolean): void {
    for (const [id, cursor] of openCursors) if (shouldClose(cursor)) openCursors.delete(id);
  }

  return {
    open,
    getMore,
    /** Returns false if the cursor was not open. */
    close: (id: number) => openCursors.delete(id),
    closeForNamespace: (namespace: string) => closeWhere((cursor) => cursor.namespace === namespace),
    closeForConnection: (connection: object) => closeWhere((cursor) => cursor.connection === connection),
    closeIdle: () => closeWhere((cursor) => cursor.lastUsedAt < now().getTime() - idleMs),
    count: () => openCursors.size,
  };
}

function createReply(id: number, ns: string, batch: Record<string, Batch>): Doc {
  return { cursor: { id: BigInt(id), ns, ...batch } };
}

/** Reads up to `size` documents. Fewer, if they exceed `maxBatchBytes`. */
function readBatch(cursor: Cursor, size: number): Batch {
  const batch: Buffer[] = [];
  let bytes = 0;
  while (!cursor.next.done && batch.length < size && bytes < maxBatchBytes) {
    const doc = cursor.next.value;
    batch.push(doc);
    bytes += doc.length;
    cursor.next = cursor.docs.next();
  }
  return new Batch(batch);
}
