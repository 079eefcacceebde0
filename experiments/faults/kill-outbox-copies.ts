import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { outboxInsert, outboxSet } from '@shelfwise/runtime/events/outbox';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { startDatabaseServer } from '../../testing/start-database-server.ts';
import { compileProgram } from '../lib/compile-program.ts';
import { forkProgram } from '../lib/fork-program.ts';
import { outcomeOf } from '../lib/judge-on-machine.ts';
import { openOutboxRows } from '../lib/outbox-rows.ts';
import type { FindingRow } from './report.ts';

/** A kill costs the six seconds of a lease; several databases with two copies each share them. */
const databases = 8;
/** Far more than the documents of a batch. */
const rowCount = 2000;

type Counts = { events: number; lost: number; outOfOrder: number; repeated: number };

/**
 * Row 11. Two copies publish the outbox of a database while it is written. The copy that publishes is killed, in turn between a
 * publish and the emptying of the outboxes and at a random moment soon after. Counts events that were lost, published again, and
 * first published out of the order of their key.
 */
export async function killOutboxCopies(kills: number): Promise<FindingRow> {
  const server = await startDatabaseServer();
  try {
    const each = Math.ceil(kills / databases);
    const program = compileProgram(new URL('../lib/outbox-copy.ts', import.meta.url));
    const counted = await Promise.all(
      Array.from({ length: databases }, () => killCopies(program, server.uri, each)),
    );
    const sum = (name: keyof Counts) => counted.reduce((total, counts) => total + counts[name], 0);
    const wrong = `${sum('lost')} lost, ${sum('outOfOrder')} first published out of the order of their key`;
    return {
      row: 11,
      name: 'copies killed between a write and its publishing',
      finding: {
        text: `${sum('events')} events written, ${databases * each} faults: ${wrong}, ${sum('repeated')} published again`,
        outcome: outcomeOf(sum('events') > 0 && sum('lost') + sum('outOfOrder') === 0),
      },
    };
  } finally {
    await server.stop();
  }
}

/** One database with its writer and two copies, whose event bus is this process. */
async function killCopies(program: URL, uri: string, kills: number): Promise<Counts> {
  const database = `outbox_${randomUUID().slice(0, 8)}`;
  const logger = createLogger({ name: 'outbox', level: 'error', destination: process.stderr });
  const connection = await connectMongo({ uri, database, logger });
  const rows = openOutboxRows(connection);
  await rows.createIndexes();
  /** By key: the ids of its events in the order of the changes, and as they were published. */
  const written = new Map<string, string[]>();
  const published = new Map<string, string[]>();
  /** Called with the copy that has published a batch, before it hears of it. */
  let onBatch: ((copy: ChildProcess) => void) | null = null;
  let isWriting = true;

  function startCopy(): ChildProcess {
    const child = forkProgram(program, uri, database);
    child.on('message', ({ batch, events }: { batch: number; events: { id: string; key: string }[] }) => {
      for (const { id, key } of events) add(published, key, id);
      onBatch?.(child);
      // A dead copy does not hear that its batch is stored.
      if (child.connected) child.send(batch, () => {});
    });
    return child;
  }

  async function write(): Promise<void> {
    for (let change = 0; isWriting; change++) {
      const _id = change % rowCount;
      const at = new Date();
      const key = String(_id);
      const stored = { topic: 'rows.changed.v1', key, payload: Buffer.from('x'), at, request_id: null };
      const event = { id: randomUUID(), stored };
      add(written, key, event.id);
      const { matchedCount } = await rows.updateOne({ _id }, { $set: outboxSet(event, at) });
      if (matchedCount === 0) await rows.collection.insertOne({ _id, ...outboxInsert(event, at) } as never);
      await sleep(2 * databases);
    }
  }

  const copies = new Set([startCopy(), startCopy()]);
  async function killOne(isLater: boolean): Promise<void> {
    const copy = await new Promise<ChildProcess>((resolve) => {
      onBatch = (one) => {
        onBatch = null;
        if (!isLater) one.kill('SIGKILL');
        resolve(one);
      };
    });
    if (isLater) await sleep(Math.random() * 100);
    copy.kill('SIGKILL');
    copies.delete(copy);
    copies.add(startCopy());
  }

  function count(): Counts {
    const sizeOf = (lists: Map<string, string[]>) =>
      [...lists.values()].reduce((sum, { length }) => sum + length, 0);
    let [lost, outOfOrder] = [0, 0];
    for (const [key, ids] of written) {
      const firsts = [...new Set(published.get(key) ?? [])];
      const received = new Set(firsts);
      lost += ids.filter((id) => !received.has(id)).length;
      outOfOrder += firsts.filter((id, index) => id !== ids[index]).length;
    }
    return {
      events: sizeOf(written),
      lost,
      outOfOrder,
      repeated: sizeOf(published) - sizeOf(written) + lost,
    };
  }

  try {
    const writing = write();
    for (let kill = 0; kill < kills; kill++) {
      await killOne(kill % 2 === 1);
      await sleep(Math.random() * 500);
    }
    isWriting = false;
    await writing;
    while ((await rows.countDocuments({ outbox_since: { $gt: new Date(0) } }, { limit: 1 })) > 0)
      await sleep(100);
    return count();
  } finally {
    for (const copy of copies) copy.kill('SIGKILL');
    await connection.dropDatabase();
    await connection.close();
  }
}

function add(lists: Map<string, string[]>, key: string, id: string): void {
  const list = lists.get(key);
  if (list) list.push(id);
  else lists.set(key, [id]);
}
