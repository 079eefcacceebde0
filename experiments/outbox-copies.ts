/**
 * Two copies publish the outbox of one database while it is written. Kills the copy that publishes with kill -9, or
 * freezes it for longer than its lease, each time between a publish and the emptying of the outboxes. Counts events
 * that were lost, published again, and first published out of the order of their key.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { outboxInsert, outboxSet } from '@shelfwise/runtime/events/outbox';
import { createLogger } from '@shelfwise/runtime/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { startDatabaseServer } from '../testing/start-database-server.ts';
import { openOutboxRows } from './lib/outbox-rows.ts';

const { values } = parseArgs({
  options: { faults: { type: 'string', default: '10' }, help: { type: 'boolean' } },
});
if (values.help) {
  console.log('Usage: node --import tsx --conditions=source experiments/outbox-copies.ts [--faults 10]');
  process.exit(0);
}
const faults = Number(values.faults);
/** Far more than the documents of a batch. */
const rowCount = 2000;

const server = await startDatabaseServer();
const logger = createLogger({ name: 'outbox', level: 'error', destination: process.stderr });
const database = `outbox_${randomUUID().slice(0, 8)}`;
const connection = await connectMongo({ uri: server.uri, database, logger });
const rows = openOutboxRows(connection);
await rows.createIndexes();

/** By key: the ids of its events in the order of the changes, and as they were published. */
const written = new Map<string, string[]>();
const published = new Map<string, string[]>();
/** Called with the copy that has published a batch, before it hears of it. */
let onBatch: ((copy: ChildProcess) => void) | null = null;
let isWriting = true;

const startCopy = () => {
  const child = fork(fileURLToPath(new URL('./lib/outbox-copy.ts', import.meta.url)), [server.uri, database]);
  child.on('message', ({ batch, events }: { batch: number; events: { id: string; key: string }[] }) => {
    for (const { id, key } of events) add(published, key, id);
    onBatch?.(child);
    // A dead copy does not hear that its batch is stored, and a frozen one late.
    if (child.connected) child.send(batch);
  });
  return child;
};

try {
  const copies = new Set([startCopy(), startCopy()]);
  const writing = write();
  for (let fault = 1; fault <= faults; fault++) {
    await sleep(500 + Math.random() * 1000);
    const isFreeze = fault % 3 === 0;
    const copy = await stopAtBatch(isFreeze ? 'SIGSTOP' : 'SIGKILL');
    if (isFreeze) {
      // Longer than the lease, so that the other copy continues.
      await sleep(9000);
      copy.kill('SIGCONT');
    } else {
      copies.delete(copy);
      copies.add(startCopy());
    }
    console.log(`fault ${fault} of ${faults}: ${count(published)} published`);
  }
  isWriting = false;
  await writing;
  while ((await rows.countDocuments({ outbox_since: { $gt: new Date(0) } }, { limit: 1 })) > 0)
    await sleep(100);
  report();
  for (const copy of copies) copy.kill('SIGKILL');
} finally {
  await connection.dropDatabase();
  await connection.close();
  await server.stop();
}

async function write(): Promise<void> {
  for (let change = 0; isWriting; change++) {
    const _id = change % rowCount;
    const at = new Date();
    const stored = {
      topic: 'rows.changed.v1',
      key: String(_id),
      payload: Buffer.from('x'),
      at,
      request_id: null,
    };
    const event = { id: randomUUID(), stored };
    add(written, stored.key, event.id);
    const { matchedCount } = await rows.updateOne({ _id }, { $set: outboxSet(event, at) });
    if (matchedCount === 0) await rows.collection.insertOne({ _id, ...outboxInsert(event, at) } as never);
    await sleep(2);
  }
}

function stopAtBatch(signal: NodeJS.Signals): Promise<ChildProcess> {
  return new Promise((resolve) => {
    onBatch = (copy) => {
      onBatch = null;
      copy.kill(signal);
      resolve(copy);
    };
  });
}

function report(): void {
  let lost = 0;
  let outOfOrder = 0;
  for (const [key, ids] of written) {
    const firsts = [...new Set(published.get(key) ?? [])];
    lost += ids.filter((id) => !firsts.includes(id)).length;
    outOfOrder += firsts.filter((id, index) => id !== ids[index]).length;
  }
  const total = count(written);
  const repeated = count(published) - total + lost;
  console.log(
    `${total} events written: ${lost} lost, ${outOfOrder} first published out of the order of their key,`,
  );
  console.log(`${repeated} published again in ${faults} faults`);
  process.exitCode = lost + outOfOrder === 0 ? 0 : 1;
}

function add(lists: Map<string, string[]>, key: string, id: string): void {
  lists.set(key, [...(lists.get(key) ?? []), id]);
}

function count(lists: Map<string, string[]>): number {
  return [...lists.values()].reduce((sum, { length }) => sum + length, 0);
}
