import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startEngine } from '@shelfwise/embedded/start-engine';
import type { EventRecord } from '@shelfwise/runtime/events/event-bus';
import { createKafkaBus } from '@shelfwise/runtime/events/kafka/kafka-bus';
import { withAdmin } from '@shelfwise/runtime/events/kafka/kafka-topics';
import type { KafkaOptions } from '@shelfwise/runtime/events/kafka-settings';
import { createLogger } from '@shelfwise/runtime/logger';
import { Kafka, logLevel } from 'kafkajs';
import mongoose from 'mongoose';
import { startFaultProxy } from '../testing/fault-proxy.ts';
import { startBroker } from './lib/own-broker.ts';

// npm run kafka-faults: how the event bus behaves when its only broker is killed or frozen, and when a consumer is
// killed in a batch. Starts a broker of its own (deploy/infra), on KAFKA_PORT (default 19092). Ends with 1 when that
// consumer lost an event or the order of a key.
if (parseArgs({ options: { help: { type: 'boolean' } } }).values.help) {
  console.log('Usage: [KAFKA_PORT=19092] npm run kafka-faults');
  process.exit(0);
}
const topic = 'things.made.v1';
const port = Number(process.env.KAFKA_PORT ?? 19092);
/** Every connection passes the proxy, because it is the address that the broker gives to its clients. */
const proxy = await startFaultProxy({ host: '127.0.0.1', port });
const broker = await startBroker(port, `advertised.listeners=PLAINTEXT://127.0.0.1:${proxy.port}\n`);
const address = `127.0.0.1:${proxy.port}`;
const dataDir = mkdtempSync(join(tmpdir(), 'kafka-faults-'));
const engine = await startEngine({ dataDir });
const logger = createLogger({ name: 'faults', level: 'silent', destination: process.stderr });
const options: KafkaOptions = {
  brokers: [address],
  clientId: 'faults',
  tls: null,
  sasl: null,
  topicPrefix: 'faults.',
  partitions: 12,
  replication: 1,
  retentionDays: 1,
};
let nextId = 0;
const newEvent = (): EventRecord => {
  const id = nextId++;
  return { id: String(id), topic, key: `key ${id % 100}`, payload: new Uint8Array(500), at: new Date() };
};

async function openBus(database: string) {
  const connection = await mongoose.createConnection(engine.mongodbUri, { dbName: database }).asPromise();
  const bus = createKafkaBus({ options, connection, logger, now: () => new Date() });
  while ((await bus.status?.())?.state !== 'OK') await sleep(20);
  return {
    ...bus,
    async close() {
      await bus.stop();
      await connection.close();
    },
  };
}

/** As a relay does: each batch is published until it succeeds, half a second after a failure. */
function publishSteadily(publish: (events: readonly EventRecord[]) => Promise<void>) {
  const stopping = new AbortController();
  const successes: number[] = [];
  const attempts = { failed: 0 };
  let published = 0;
  const end = (async () => {
    while (!stopping.signal.aborted) {
      const batch = Array.from({ length: 20 }, newEvent);
      for (;;) {
        try {
          await publish(batch);
          break;
        } catch {
          attempts.failed++;
          await sleep(500);
        }
      }
      published += batch.length;
      successes.push(performance.now());
      await sleep(10);
    }
  })();
  return {
    successes,
    async stop() {
      stopping.abort();
      await end;
      return { published, failed: attempts.failed };
    },
  };
}

/** From the moment when the broker works again to the next batch that is published. */
const stallAfter = (successes: readonly number[], backAt: number) =>
  ((successes.find((at) => at > backAt) ?? Number.POSITIVE_INFINITY) - backAt) / 1000;

async function measureStall(
  publish: (events: readonly EventRecord[]) => Promise<void>,
  fault: () => Promise<void>,
) {
  const steady = publishSteadily(publish);
  await sleep(1000);
  const faultAt = performance.now();
  await fault();
  const backAt = performance.now();
  while (!steady.successes.some((at) => at > backAt)) await sleep(20);
  await sleep(500);
  const { failed } = await steady.stop();
  return {
    downSeconds: (backAt - faultAt) / 1000,
    stallSeconds: stallAfter(steady.successes, backAt),
    failed,
  };
}

const kill = async () => {
  broker.kill();
  await sleep(500);
  await broker.restart();
};
const freeze = (seconds: number) => async () => {
  broker.freeze();
  await sleep(seconds * 1000);
  broker.thaw();
};

const refuse = (seconds: number) => async () => {
  proxy.faults.isRefusing = true;
  proxy.resetAll();
  await sleep(seconds * 1000);
  proxy.faults.isRefusing = false;
};
/** What was sent meanwhile is lost without an error. */
const lose = async () => {
  proxy.faults.isFrozen = true;
  await sleep(500);
  proxy.faults.isFrozen = false;
};

async function printStalls(name: string, publish: (events: readonly EventRecord[]) => Promise<void>) {
  const faults: [string, () => Promise<void>][] = [
    ['unreachable for 0.5 s, connections reset', refuse(0.5)],
    ['unreachable for 12 s, connections reset', refuse(12)],
    ['silent for 0.5 s, requests lost', lose],
    ['killed, restarted after 0.5 s', kill],
    ['frozen 5 s', freeze(5)],
    ['frozen 30 s', freeze(30)],
  ];
  for (const [fault, cause] of faults) {
    const { downSeconds, stallSeconds, failed } = await measureStall(publish, cause);
    console.log(
      `${name}: broker ${fault}: away ${downSeconds.toFixed(1)} s, next publish ${stallSeconds.toFixed(1)} s after it answers, ${failed} attempts rejected`,
    );
  }
}

async function measureRate(publish: (events: readonly EventRecord[]) => Promise<void>): Promise<void> {
  const started = performance.now();
  for (let batch = 0; batch < 200; batch++) await publish(Array.from({ length: 100 }, newEvent));
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `publish rate: ${Math.round(20_000 / seconds)} events/s in batches of 100 (500 bytes each), all acknowledged`,
  );
}

/** kafkajs as it comes, with an idempotent producer. */
async function openDefaults() {
  const kafka = new Kafka({ brokers: [address], logLevel: logLevel.NOTHING });
  const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 });
  await producer.connect();
  return {
    publish: async (events: readonly EventRecord[]) => {
      await producer.send({
        topic: `faults.${topic}`,
        messages: events.map(({ key, payload }) => ({ key, value: Buffer.from(payload) })),
      });
    },
    close: () => producer.disconnect(),
  };
}

type Consumer = { child: ChildProcess; joins: () => number };

/** A consumer in a process of its own. Its effects are rows in the database `effects`. */
function startConsumer(): Consumer {
  const script = new URL('lib/faulty-consumer.ts', import.meta.url).pathname;
  const args = ['--import', 'tsx', '--conditions=shelfwise-source', script];
  const env = { ...process.env, MONGODB_URI: engine.mongodbUri, FAULTS_OPTIONS: JSON.stringify(options) };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let joins = 0;
  child.stdout?.on('data', (text: Buffer) => {
    joins += text.toString().split('joined').length - 1;
  });
  return { child, joins: () => joins };
}

/** @returns whether no event was lost or out of the order of its key */
async function measureKilledConsumer(
  publish: (events: readonly EventRecord[]) => Promise<void>,
): Promise<boolean> {
  const connection = await mongoose.createConnection(engine.mongodbUri, { dbName: 'effects' }).asPromise();
  const effects = connection.collection<{ _id: string; key: string; order: number }>('effects');
  const handled = connection.collection<{ event: string; pid: number }>('handled');
  const first = startConsumer();
  while (first.joins() === 0) await sleep(50);
  const firstId = nextId;
  const total = 6000;
  for (let sent = 0; sent < total; sent += 100) {
    await publish(Array.from({ length: 100 }, newEvent));
    if (sent === 2000) {
      first.child.kill('SIGKILL');
    }
  }
  const second = startConsumer();
  const third = startConsumer();
  const startedAt = performance.now();
  while ((await effects.countDocuments()) < total && performance.now() - startedAt < 90_000) await sleep(200);
  await sleep(2000);
  const rows = await effects.find().toArray();
  const calls = await handled.countDocuments();
  const calledTwice = (
    await handled
      .aggregate([{ $group: { _id: '$event', count: { $sum: 1 } } }, { $match: { count: { $gt: 1 } } }])
      .toArray()
  ).length;
  const byKey = new Map<string, number[]>();
  for (const { _id, key } of [...rows].sort((left, right) => left.order - right.order))
    byKey.set(key, [...(byKey.get(key) ?? []), Number(_id)]);
  const disordered = [...byKey.values()].filter((ids) =>
    ids.some((id, n) => n > 0 && id < (ids[n - 1] ?? 0)),
  );
  const missing = Array.from({ length: total }, (_, n) => String(firstId + n)).filter(
    (id) => !rows.some(({ _id }) => _id === id),
  );
  console.log(
    `consumer killed in a batch, two others join: ${total} events, lost ${missing.length}, ` +
      `handler called again for ${calledTwice} (of ${calls} calls), keys out of order ${disordered.length}, joins ${second.joins() + third.joins()}`,
  );
  for (const { child } of [second, third]) child.kill('SIGTERM');
  await connection.close();
  return missing.length === 0 && disordered.length === 0;
}

let isAsExpected = false;
try {
  const bus = await openBus('publisher');
  await bus.publish([newEvent()]);
  await measureRate(bus.publish);
  const defaults = await openDefaults();
  await printStalls('kafkajs defaults', defaults.publish);
  await defaults.close();
  await printStalls('this bus', bus.publish);
  await withAdmin(options, logger, async (admin) => {
    await admin.deleteTopics({ topics: [`faults.${topic}`] });
  });
  await bus.close();
  await sleep(1000);
  const fresh = await openBus('publisher');
  await fresh.publish([newEvent()]);
  isAsExpected = await measureKilledConsumer(fresh.publish);
  await fresh.close();
} finally {
  await broker.stop();
  await proxy.stop();
  await engine.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(isAsExpected ? 0 : 1);
