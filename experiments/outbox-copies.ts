/**
 * Two copies publish the outbox of one database while it is written. Kills the copy that publishes with kill -9, between
 * a publish and the emptying of the outboxes or at a random moment, or freezes it for longer than its lease. Counts
 * events that were lost, published again, and first published out of the order of their key. A kill costs the six
 * seconds of the lease; several databases with two copies each share them.
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
  options: {
    faults: { type: 'string', default: '10' },
    databases: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '60' },
    'kills-only': { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(`Usage: node --import tsx --conditions=shelfwise-source experiments/outbox-copies.ts [options]

  --faults N      faults in each database (default 10): a kill after a publish, a kill at a random moment, a freeze, and again
  --databases N   databases with two copies each, at the same time (default 1)
  --minutes N     no more faults after this time (default 60)
  --kills-only    no freezes`);
  process.exit(0);
}
/** Far more than the documents of a batch. */
const rowCount = 2000;
const databases = Number(values.databases);
const faultsOfDatabase = Number(values.faults);
const kinds = values['kills-only']
  ? (['kill after a publish', 'kill'] as const)
  : (['kill after a publish', 'kill', 'freeze'] as const);
const endsAtMs = performance.now() + Number(values.minutes) * 60_000;

const server = await startDatabaseServer();
const logger = createLogger({ name: 'outbox', level: 'error', destination: process.stderr });
/** Of all databases. */
const totals = { events: 0, faults: 0, lost: 0, outOfOrder: 0, repeated: 0 };
try {
  await Promise.all(Array.from({ length: databases }, breakCopies));
} finally {
  await server.stop();
}
console.log(
  `${totals.events} events written, ${totals.faults} faults: ${totals.lost} lost, ${totals.outOfOrder} first published`,
);
console.log(`out of the order of their key, ${totals.repeated} published again`);
process.exitCode = totals.lost + totals.outOfOrder === 0 ? 0 : 1;

/** One database with its writer and two copies. */
async function breakCopies(): Promise<void> {
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

  function startCopy(): ChildProcess {
    const entry = fileURLToPath(new URL('./lib/outbox-copy.ts', import.meta.url));
    const child = fork(entry, [server.uri, database]);
    child.on('message', ({ batch, events }: { batch: number; events: { id: string; key: string }[] }) => {
      for (const { id, key } of events) add(published, key, id);
      onBatch?.(child);
      // A dead copy does not hear that its batch is stored, and a frozen one late.
      if (child.connected) child.send(batch, () => {});
    });
    return child;
  }

  /** The copy that publishes a batch now. */
  const publishingCopy = (act: (copy: ChildProcess) => void) =>
    new Promise<ChildProcess>((resolve) => {
      onBatch = (copy) => {
        onBatch = null;
        act(copy);
        resolve(copy);
      };
    });

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
  const replace = (copy: ChildProcess) => {
    copies.delete(copy);
    copies.add(startCopy());
  };

  async function breakOne(kind: (typeof kinds)[number]): Promise<void> {
    if (kind === 'kill after a publish') return replace(await publishingCopy((copy) => copy.kill('SIGKILL')));
    if (kind === 'kill') {
      const copy = await publishingCopy(() => {});
      await sleep(Math.random() * 100);
      copy.kill('SIGKILL');
      return replace(copy);
    }
    const copy = await publishingCopy((one) => one.kill('SIGSTOP'));
    // Longer than the lease, so that the other copy continues.
    await sleep(9000);
    copy.kill('SIGCONT');
  }

  function count(): void {
    const sizeOf = (lists: Map<string, string[]>) =>
      [...lists.values()].reduce((sum, { length }) => sum + length, 0);
    let lost = 0;
    for (const [key, ids] of written) {
      const firsts = [...new Set(published.get(key) ?? [])];
      const received = new Set(firsts);
      lost += ids.filter((id) => !received.has(id)).length;
      totals.outOfOrder += firsts.filter((id, index) => id !== ids[index]).length;
    }
    totals.lost += lost;
    totals.events += sizeOf(written);
    totals.repeated += sizeOf(published) - sizeOf(written) + lost;
  }

  try {
    const writing = write();
    for (let fault = 0; fault < faultsOfDatabase && performance.now() < endsAtMs; fault++) {
      await breakOne(kinds[fault % kinds.length] ?? 'kill');
      totals.faults++;
      console.log(`fault ${totals.faults} of ${databases * faultsOfDatabase}`);
      await sleep(Math.random() * 500);
    }
    isWriting = false;
    await writing;
    while ((await rows.countDocuments({ outbox_since: { $gt: new Date(0) } }, { limit: 1 })) > 0)
      await sleep(100);
    count();
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
