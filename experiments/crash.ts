import { setTimeout as sleep } from 'node:timers/promises';
import { callControlSocket } from '@shelfwise/app/data-folder/control-socket';
import { databaseOfSource } from '@shelfwise/app/start/open-databases';
import { openBusCollections } from '@shelfwise/embedded/bus/event-log';
import { controlSocketPath } from '@shelfwise/embedded/claim-data-folder';
import { createRandom } from '@shelfwise/runtime/random';
import { urgent } from '@shelfwise/store-fetch/budget/urgency';
import { createSampleSource } from '@shelfwise/store-fetch/sources/sample/sample-source';
import { createApi } from '../testing/system/api.ts';
import { startSystemProcess } from '../testing/system/system-process.ts';
import { createAccountModel, type WriteKind } from './lib/account-model.ts';
import { consumerDatabase, openConsumerCollections } from './lib/event-consumer.ts';
import { openEmbeddedDatabase } from './lib/open-embedded-database.ts';
import { readOptions } from './lib/options.ts';
import { temporaryFolder } from './lib/temporary-folder.ts';

const {
  rounds,
  accounts: accountCount,
  seed,
} = readOptions(
  'npm run crash',
  `Kills the system with kill -9 at random moments while many accounts write, and restarts it. Verifies at the end that every
acknowledged write is stored, every change has its event, and every event was delivered and applied once.`,
  {
    rounds: [12, 'kills'],
    accounts: [24, 'accounts that write'],
    seed: [1, 'of the random moments and writes'],
  },
);
const random = createRandom(seed);
const topics = 'photo editor,habit tracker,budget planner,notes,recipes,yoga,weather,vpn,sudoku,chess'.split(
  ',',
);
const words = topics.flatMap((topic) => [
  topic,
  ...'free,pro,app,daily,kids'.split(',').map((more) => `${topic} ${more}`),
]);

/** A way out for what never comes; far longer than a busy machine needs. */
const mostTries = 3000;

const dataDir = temporaryFolder('crash');
const start = () =>
  startSystemProcess({ SHELFWISE_DATA_DIR: dataDir, METRICS_PORT: '0' }, 'experiments/lib/crash-system.ts');

const accounts = await setUp(accountCount);
for (let round = 1; round <= rounds; round++) {
  const system = await start();
  const writers = accounts.map(async ({ key, model }) => {
    const api = createApi(system.url, key);
    for (;;) await model.write(api);
  });
  const ended = Promise.allSettled(writers);
  await sleep(500 + random.below(3500));
  await system.end('SIGKILL');
  const unexpected = (await ended).filter(
    (writer) => writer.status === 'rejected' && !isConnectionLost(writer.reason),
  );
  if (unexpected.length > 0) throw new Error('a write was refused', { cause: unexpected[0] });
  console.log(`killed ${round} of ${rounds}: ${total(accounts, 'acknowledged')} writes acknowledged so far`);
}
process.exitCode = (await verify(accounts)) ? 0 : 1;

type Accounts = Awaited<ReturnType<typeof setUp>>;

/** Creates the accounts, each with a model of its acknowledged writes. */
async function setUp(count: number) {
  const source = createSampleSource({ now: () => new Date() });
  const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
  const { apps } = await source.search(storefront, 'photo editor', {
    limit: 30,
    onDay: null,
    urgency: urgent,
    signal: AbortSignal.timeout(10_000),
  });
  const appIds = apps.map((app) => app.app_id);
  const system = await start();
  const created = [];
  for (let number = 1; number <= count; number++) {
    const command = { action: 'create', email: `crash-${number}@example.com`, plan: 'unlimited' };
    const { body } = await callControlSocket(controlSocketPath(dataDir), '/accounts', command);
    const { result } = body as { result: { key: string } };
    const model = createAccountModel({ random: createRandom(number), appIds, words });
    created.push({ key: result.key, model });
  }
  await system.end('SIGINT');
  return created;
}

function isConnectionLost(error: unknown): boolean {
  return error instanceof TypeError || error instanceof SyntaxError;
}

function total(accounts: Accounts, what: 'acknowledged' | 'unanswered', kind?: WriteKind): number {
  const sum = (counts: Record<WriteKind, number>) =>
    kind ? counts[kind] : Object.values(counts).reduce((all, count) => all + count, 0);
  return accounts.reduce((all, { model }) => all + sum(model[what]), 0);
}

/** Restarts the system, waits for all events, and compares. Returns whether every check passed. */
async function verify(accounts: Accounts): Promise<boolean> {
  const system = await start();
  const differences: string[] = [];
  for (const { key, model } of accounts)
    differences.push(...(await model.differences(createApi(system.url, key, { isPatient: true }))));
  const { events, applied, deliveries, deadLetters } = await readDrained(system.opsUrl);
  await system.end('SIGINT');

  const appliedIds = applied.flatMap((row) => Object.keys(row.events ?? {}));
  const changes = applied.reduce((all, row) => all + row.changes, 0);
  const count = (topic: string) => events.filter((event) => event.topic === `tracking.${topic}.v1`).length;
  const checkCount = (topic: string, kind: WriteKind) => {
    const acknowledged = total(accounts, 'acknowledged', kind);
    const upperBound = acknowledged + total(accounts, 'unanswered', kind);
    const isOk = count(topic) >= acknowledged && count(topic) <= upperBound;
    return { isOk, text: `${topic}: ${count(topic)} events for ${acknowledged} to ${upperBound} changes` };
  };
  const snapshotKeys = events
    .filter(({ topic }) => topic === 'tracking.snapshot-taken.v1')
    .map(({ key }) => key);
  const checks = [
    {
      isOk: differences.length === 0,
      text: `${total(accounts, 'acknowledged')} writes acknowledged, ${differences.length} of them lost`,
    },
    checkCount('application-tracked', 'appsTracked'),
    checkCount('application-untracked', 'appsUntracked'),
    checkCount('keyword-tracked', 'keywordsTracked'),
    {
      isOk: count('keyword-untracked') >= total(accounts, 'acknowledged', 'keywordsUntracked'),
      text: `keyword-untracked: ${count('keyword-untracked')} events for ${total(accounts, 'acknowledged', 'keywordsUntracked')} removed keywords and those of removed applications`,
    },
    {
      isOk: new Set(snapshotKeys).size === snapshotKeys.length,
      text: `snapshot-taken: ${snapshotKeys.length} events, one per keyword`,
    },
    {
      isOk: new Set(appliedIds).size === events.length && deadLetters === 0,
      text: `${events.length} events published, ${new Set(appliedIds).size} delivered`,
    },
    {
      isOk: changes === events.length,
      text: `${changes} applied in ${deliveries} deliveries: ${changes - events.length} twice`,
    },
  ];
  for (const { isOk, text } of checks) console.log(`${isOk ? 'ok  ' : 'FAIL'} ${text}`);
  for (const difference of differences.slice(0, 20)) console.log(`     ${difference}`);
  return checks.every(({ isOk }) => isOk);
}

/**
 * Reads the events once all outboxes are empty and the consumer has applied every event of the bus. Scoring may publish
 * more events later, so a second reading could differ.
 */
async function readDrained(opsUrl: string | null) {
  for (let tries = 1; ; tries++) {
    const ready = await (await fetch(`${opsUrl}/readyz`)).text();
    const unpublished = [...ready.matchAll(/(\d+)(?: or more)? changes? not published yet/g)].map(
      ([, count]) => Number(count),
    );
    const read = await readEvents();
    const appliedCount = read.applied.reduce((all, row) => all + row.changes, 0);
    const areOutboxesEmpty = unpublished.length > 0 && unpublished.every((count) => count === 0);
    const isDrained = areOutboxesEmpty && appliedCount === read.events.length;
    if (isDrained || tries === mostTries) return read;
    await sleep(100);
  }
}

async function readEvents() {
  const bus = await openEmbeddedDatabase(dataDir, databaseOfSource('shelfwise_events', 'sample'));
  const consumer = await openEmbeddedDatabase(dataDir, consumerDatabase);
  try {
    const { events, deadLetters } = openBusCollections(bus);
    const { applied, deliveries } = openConsumerCollections(consumer);
    const delivered = await deliveries.findOne({ _id: 'all' });
    return {
      events: await events.find({}, { projection: { payload: 0 } }).toArray(),
      applied: await applied.find({}).toArray(),
      deliveries: delivered?.count ?? 0,
      deadLetters: await deadLetters.countDocuments(),
    };
  } finally {
    await bus.close();
    await consumer.close();
  }
}
