import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKafkaBus } from '@shelfwise/runtime/events/kafka/kafka-bus';
import { withAdmin } from '@shelfwise/runtime/events/kafka/kafka-topics';
import type { KafkaOptions } from '@shelfwise/runtime/events/kafka-settings';
import { outboxInsert, outboxSet } from '@shelfwise/runtime/events/outbox';
import { createOutboxRelay } from '@shelfwise/runtime/events/outbox-relay';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import mongoose, { type Model } from 'mongoose';
import { startDatabaseServer } from '../testing/start-database-server.ts';
import { startBareRun } from './lib/bare-run.ts';
import type { ConsumerMessage, HandledChange } from './lib/counting-consumer.ts';
import { createExpectations } from './lib/expectations.ts';
import { judgeGoal } from './lib/judge-on-machine.ts';
import { readOptions } from './lib/options.ts';
import { openOutboxRows } from './lib/outbox-rows.ts';
import { startBrokers } from './lib/own-broker.ts';

const values = readOptions(
  'npm run kafka-brokers',
  `Events from outboxes over Kafka to two consumers, while brokers are killed, frozen and restarted, and while handlers take long. Starts
brokers of its own on KAFKA_PORT (default 19092) and the ports after it. Ends with 1 when an event is lost, handled twice or out of the
order of its key, or a write waits for a broker. How long events wait is printed with its goal, which brokers on a busy machine miss: it
ends nothing with 1.`,
  {
    brokers: [3, 'the number of brokers'],
    faults: ['kill,freeze,two,rolling,slow', 'the faults to cause'],
    'slow-seconds': [40, 'how long a slow handler takes'],
    properties: ['', 'further ones of the brokers: name=value;name=value'],
  },
);
const { brokers: brokerCount } = values;
const port = Number(process.env.KAFKA_PORT ?? 19092);
const topic = 'rows.changed.v1';
const keys = 60;
/** What one broker of three may cost. */
const longestPauseSeconds = 5;
/** Less than any fault takes. */
const longestWriteMs = 3000;
/** A way out for events that never come; far longer than a busy machine needs. */
const giveUpMs = 600_000;

const { expectThat, expectOnMachine, conclude } = createExpectations();
const server = await startDatabaseServer();
const { brokers, stop: stopBrokers } = await startBrokers(
  port,
  brokerCount,
  values.properties.replaceAll(';', '\n'),
);
const logger = createLogger({
  name: 'brokers',
  level: process.env.FAULTS_VERBOSE === 'true' ? 'debug' : 'silent',
  destination: process.stderr,
});
const options: KafkaOptions = {
  brokers: brokers.map(({ address }) => address),
  clientId: 'faults',
  tls: null,
  sasl: null,
  topicPrefix: 'faults.',
  partitions: 12,
  replication: Math.min(3, brokerCount),
  retentionDays: 1,
};
const connection = await mongoose.createConnection(server.uri, { dbName: 'rows' }).asPromise();
const rows = openOutboxRows(connection);
await rows.createIndexes();
const kafka = createKafkaBus({ options, connection, logger, now: () => new Date() });

/** When a publish succeeded. */
const publishedAt: number[] = [];
const relay = createOutboxRelay({
  models: [rows] as unknown as Model<unknown>[],
  service: 'probe',
  bus: {
    ...kafka,
    async publish(events) {
      await kafka.publish(events);
      publishedAt.push(Date.now());
    },
  },
  hasCopies: false,
  logger,
  metrics: createMetrics(),
  now: () => new Date(),
});

/** When each change was stored, and how long that took. */
const changes: { at: number; ms: number }[] = [];
let isWriting = true;
/** Of the next change. */
let slowMs = 0;

async function write(): Promise<void> {
  while (isWriting) {
    const change = changes.length;
    const _id = change % keys;
    const at = new Date();
    const payload = Buffer.from(JSON.stringify({ change, slowMs }));
    slowMs = 0;
    const event = { id: randomUUID(), stored: { topic, key: String(_id), payload, at, request_id: null } };
    const startedAt = performance.now();
    const { matchedCount } = await rows.updateOne({ _id }, { $set: outboxSet(event, at) });
    if (matchedCount === 0) await rows.collection.insertOne({ _id, ...outboxInsert(event, at) } as never);
    changes.push({ at: Date.now(), ms: performance.now() - startedAt });
    relay.wake();
    await sleep(15);
  }
}

/** In the order of their ends. */
const handled: HandledChange[] = [];

async function startConsumer(): Promise<ChildProcess> {
  const script = new URL('lib/counting-consumer.ts', import.meta.url).pathname;
  const env = { ...process.env, MONGODB_URI: server.uri, FAULTS_OPTIONS: JSON.stringify(options) };
  const child = fork(script, { execArgv: ['--import', 'tsx', '--conditions=shelfwise-source'], env });
  await new Promise<void>((resolve) => {
    child.on('message', (message: ConsumerMessage) => {
      if ('joined' in message) resolve();
      else handled.push(message.handled);
    });
  });
  return child;
}

async function stopConsumer(consumer: ChildProcess): Promise<void> {
  consumer.kill('SIGTERM');
  await once(consumer, 'exit');
}

const countHandled = () => new Set(handled.map(({ change }) => change)).size;

/** Until everything that was written so far is handled. */
async function catchUp(): Promise<void> {
  const written = changes.length;
  for (const startedAt = Date.now(); countHandled() < written; await sleep(100))
    if (Date.now() - startedAt > giveUpMs) throw new Error('the events do not arrive');
}

/** Until every replica of every partition is in sync again. */
async function untilInSync(): Promise<void> {
  for (;;) {
    const name = options.topicPrefix + topic;
    const metadata = await withAdmin(options, logger, (admin) =>
      admin.fetchTopicMetadata({ topics: [name] }),
    ).catch(() => null);
    if (metadata?.topics[0]?.partitions.every(({ isr }) => isr.length === options.replication)) return;
    await sleep(200);
  }
}

const longestGap = (times: readonly number[], from: number, to: number) => {
  const inside = [from, ...times.filter((at) => at > from && at < to).sort((a, b) => a - b), to];
  return Math.max(...inside.map((at, index) => at - (inside[index - 1] ?? at))) / 1000;
};

/**
 * Causes a fault under writes and prints what it cost.
 * @param cause returns the time from which the brokers can work again, when that is later than the begin
 */
async function measure(name: string, cause: () => Promise<unknown>, mayTakeSeconds: number) {
  await catchUp();
  await sleep(1000);
  const bareRun = await startBareRun();
  const from = Date.now();
  await sleep(1000);
  const faultAt = Date.now();
  const result = await cause();
  const backAt = typeof result === 'number' ? result : faultAt;
  await catchUp();
  await untilInSync();
  await sleep(1000);
  const to = Date.now();
  const bare = await bareRun.stop();
  const gaps = {
    publishing: longestGap(publishedAt, from, to),
    arrivals: longestGap(
      handled.map(({ at }) => at),
      from,
      to,
    ),
  };
  const delays = handled
    .filter(({ at }) => at > from)
    .map(({ change, at }) => ({ at, seconds: (at - (changes[change]?.at ?? at)) / 1000 }));
  const longestDelay = Math.max(...delays.map(({ seconds }) => seconds));
  const late = delays.filter(({ at, seconds }) => at > faultAt && seconds > 1);
  const recovered = Math.max(0, ...late.map(({ at }) => at - backAt)) / 1000;
  const slowest = Math.max(...changes.filter(({ at }) => at > from).map(({ ms }) => ms));
  console.log(
    `${name}: longest pause of publishing ${gaps.publishing.toFixed(1)} s, of all deliveries ${gaps.arrivals.toFixed(1)} s; ` +
      `longest way of an event ${longestDelay.toFixed(1)} s, less than 1 s again after ${recovered.toFixed(1)} s; ` +
      `slowest write to an outbox ${slowest.toFixed(0)} ms (load ${loadavg()[0]?.toFixed(1)})`,
  );
  const goal = judgeGoal(`every event arrives within ${mayTakeSeconds} s`, {
    isMet: longestDelay <= mayTakeSeconds,
    limitMs: 1000 * longestPauseSeconds,
    bare,
  });
  console.log(`  goal: ${goal.outcome}: ${goal.text}`);
  expectOnMachine(
    { isMet: slowest < longestWriteMs, limitMs: longestWriteMs, bare, figure: 'max' },
    'no write waits for a broker',
  );
}

const kill = async (broker: (typeof brokers)[number]) => {
  broker.kill();
  await sleep(12_000);
  await broker.restart();
};
const freeze = async (broker: (typeof brokers)[number]) => {
  broker.freeze();
  await sleep(10_000);
  broker.thaw();
};

/** All brokers are away at the longest for `awaySeconds`. */
const whileAway = (awaySeconds: number) => awaySeconds + longestPauseSeconds;
const faults: Record<string, () => Promise<void>> = {
  async kill() {
    if (brokerCount === 1) return;
    for (const [index, broker] of brokers.entries())
      await measure(`broker ${index + 1} of ${brokerCount} killed`, () => kill(broker), longestPauseSeconds);
  },
  async freeze() {
    const mayPause = brokerCount === 1 ? whileAway(10) : longestPauseSeconds;
    for (const [index, broker] of brokers.entries())
      await measure(`broker ${index + 1} of ${brokerCount} frozen for 10 s`, () => freeze(broker), mayPause);
  },
  async two() {
    const [, second, third] = brokers;
    if (!second || !third) return;
    const stopTwo = async () => {
      second.kill();
      third.kill();
      await sleep(15_000);
      await second.restart();
      return Date.now();
    };
    await measure(`two of ${brokerCount} killed, restarted after 15 s`, stopTwo, 60);
  },
  async rolling() {
    const replaceAll = async () => {
      for (const broker of brokers) {
        await broker.terminate();
        await broker.restart();
        await untilInSync();
      }
    };
    await measure('rolling restart', replaceAll, longestPauseSeconds);
  },
  async slow() {
    const seconds = values['slow-seconds'];
    const joinAndLeave = async () => {
      slowMs = seconds * 1000;
      await sleep(2000);
      const third = await startConsumer();
      await sleep(2000);
      slowMs = seconds * 1000;
      await sleep(2000);
      await stopConsumer(third);
    };
    await measure(
      `a handler takes ${seconds} s while a third consumer joins and leaves`,
      joinAndLeave,
      3 * seconds,
    );
  },
};

function verify(): void {
  const byKey = new Map<string, HandledChange[]>();
  for (const one of [...handled].sort((left, right) => left.at - right.at))
    byKey.set(one.key, [...(byKey.get(one.key) ?? []), one]);
  const lost = changes.length - countHandled();
  const twice = handled.length - countHandled();
  const disordered = [...byKey.values()].filter((calls) =>
    calls.some(({ change }, index) => change < (calls[index - 1]?.change ?? 0)),
  ).length;
  console.log(
    `${changes.length} events: lost ${lost}, handled twice ${twice}, keys out of order ${disordered} of ${keys}`,
  );
  expectThat(lost === 0, 'nothing is lost');
  expectThat(twice === 0, 'nothing is handled twice');
  expectThat(disordered === 0, 'every key stays in order');
}

const consumers: ChildProcess[] = [];
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stopBrokers().then(() => process.exit(1)));
let exitCode = 1;
try {
  while ((await kafka.status?.())?.state !== 'OK') await sleep(50);
  relay.start();
  const writing = write();
  consumers.push(await startConsumer());
  consumers.push(await startConsumer());
  for (const fault of values.faults.split(',')) await faults[fault]?.();
  isWriting = false;
  await writing;
  await catchUp();
  // A repetition would come soon after.
  await sleep(2000);
  verify();
  exitCode = conclude();
} finally {
  for (const consumer of consumers) consumer.kill('SIGKILL');
  await stopBrokers();
}
process.exit(exitCode);
