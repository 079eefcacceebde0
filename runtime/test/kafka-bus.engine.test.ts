import { randomUUID } from 'node:crypto';
import { type AddressInfo, createServer, type Server } from 'node:net';
import mongoose, { type Connection } from 'mongoose';
import { describeWithEngine } from '../../testing/engines.ts';
import { describeEventBus } from '../../testing/event-bus-contract.ts';
import { createCollector, createEvent } from '../../testing/event-collector.ts';
import { pause } from '../../testing/pause.ts';
import { until } from '../../testing/until.ts';
import { useDatabaseServer } from '../../testing/use-database-server.ts';
import { type EventBus, type EventRecord, EventsRefusedError } from '../src/events/event-bus.ts';
import { createKafkaBus } from '../src/events/kafka/kafka-bus.ts';
import { createKafkaClient, createProducer, sessionTimeoutMs } from '../src/events/kafka/kafka-client.ts';
import { createKafkaEventAdmin } from '../src/events/kafka/kafka-event-admin.ts';
import { createKafkaGroupStates } from '../src/events/kafka/kafka-group-states.ts';
import { withAdmin } from '../src/events/kafka/kafka-topics.ts';
import type { KafkaOptions } from '../src/events/kafka-settings.ts';
import { createMetrics } from '../src/metrics/metrics.ts';
import { unreachableKafka } from './lib/kafka-options.ts';
import { createRecordingLogger } from './recording-logger.ts';

const databaseUri = useDatabaseServer();

describeWithEngine('KAFKA_BROKERS', 'the event bus on Kafka', (brokers) => {
  const { logger, lines } = createRecordingLogger();
  let connection: Connection;
  let options: KafkaOptions;
  let buses: EventBus[] = [];

  beforeEach(async () => {
    const name = `test-${randomUUID()}`;
    connection = await mongoose.createConnection(databaseUri(), { dbName: name }).asPromise();
    options = {
      brokers: brokers.split(','),
      clientId: 'test',
      tls: null,
      sasl: null,
      topicPrefix: `${name}.`,
      partitions: 3,
      replication: 1,
      retentionDays: 1,
    };
  });
  afterEach(async () => {
    await Promise.all(buses.map((bus) => bus.stop()));
    buses = [];
    await connection.dropDatabase();
    await connection.close();
    await withAdmin(options, logger, async (admin) => {
      const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(options.topicPrefix));
      if (topics.length > 0) await admin.deleteTopics({ topics });
    });
  });

  async function startBus(metrics = createMetrics()): Promise<EventBus> {
    const retry = { retries: 2, firstMs: 1, longestMs: 2 };
    const bus = createKafkaBus({ options, connection, logger, metrics, now: () => new Date(), retry });
    buses.push(bus);
    await until(async () => (await bus.status?.())?.state === 'OK');
    return bus;
  }

  describeEventBus(() => startBus());

  const topic = 'things.made.v1';
  const admin = () => createKafkaEventAdmin(options, logger);
  const rowsOf = async () => (await admin().listDeadLetters({ group: null, limit: 10, after: null })).rows;

  test('topics are created as the settings say; of an existing one the log names what differs, once', async () => {
    const first = await startBus();
    await first.publish([createEvent('1')]);
    const described = () =>
      withAdmin(options, logger, async (kafka) => {
        const name = options.topicPrefix + topic;
        const { topics } = await kafka.fetchTopicMetadata({ topics: [name] });
        const { resources } = await kafka.describeConfigs({
          includeSynonyms: false,
          resources: [{ type: 2, name, configNames: ['retention.ms', 'min.insync.replicas'] }],
        });
        const config = resources[0]?.configEntries.map(({ configName, configValue }) => [
          configName,
          configValue,
        ]);
        return { partitions: topics[0]?.partitions.length, config: Object.fromEntries(config ?? []) };
      });
    const asConfigured = {
      partitions: 3,
      config: { 'retention.ms': '86400000', 'min.insync.replicas': '1' },
    };
    expect(await described()).toEqual(asConfigured);
    options = { ...options, partitions: 5, retentionDays: 2 };
    const second = await startBus();
    await second.publish([createEvent('2')]);
    await second.publish([createEvent('3')]);
    expect(await described()).toEqual(asConfigured);
    const warnings = lines.filter((line) => line.includes('differs from the settings'));
    expect(warnings.map((line) => JSON.parse(line))).toMatchObject([
      {
        topic: options.topicPrefix + topic,
        actual: { partitions: 3, 'retention.ms': '86400000' },
        configured: { partitions: 5, 'retention.ms': '172800000' },
      },
    ]);
  });

  test('an event that was applied is not applied again after its offset is lost', async () => {
    const first = await startBus();
    const received = createCollector();
    await first.subscribe({ group: 'g', topics: [topic], onEvent: async (event) => received.add(event) });
    await first.publish([createEvent('1'), createEvent('2')]);
    await received.waitFor(2);
    await first.stop();
    await withAdmin(options, logger, (kafka) => kafka.deleteGroups([`${options.topicPrefix}g`]));
    const second = await startBus();
    await second.subscribe({ group: 'g', topics: [topic], onEvent: async (event) => received.add(event) });
    await second.publish([createEvent('3')]);
    expect((await received.waitFor(3)).map(({ id }) => id)).toEqual(['1', '2', '3']);
  });

  test('a replayed dead letter is delivered to its group only, and leaves the list', async () => {
    const bus = await startBus();
    const other = createCollector();
    const received = createCollector();
    let isBroken = true;
    await bus.subscribe({ group: 'other', topics: [topic], onEvent: async (event) => other.add(event) });
    await bus.subscribe({
      group: 'g',
      topics: [topic],
      onEvent: async (event) => {
        if (isBroken && event.id !== 'good') throw new Error('cannot read it');
        received.add(event);
      },
    });
    const bad = { ...createEvent('bad', 'key'), requestId: 'r', traceparent: 'of its trace' };
    await bus.publish([bad, createEvent('worse', 'key')]);
    await until(async () => (await rowsOf()).length === 2);
    expect(await rowsOf()).toMatchObject([
      { group: 'g', id: 'bad', topic, key: 'key', error: 'Error: cannot read it', attempts: 3 },
      { group: 'g', id: 'worse' },
    ]);
    isBroken = false;
    expect(await admin().replayDeadLetters({ group: null, ids: ['bad'] })).toBe(1);
    expect(await received.waitFor(1)).toEqual([bad]);
    expect((await rowsOf()).map(({ id }) => id)).toEqual(['worse']);
    expect(await admin().replayDeadLetters({ group: 'g', ids: null })).toBe(1);
    await received.waitFor(2);
    await bus.publish([createEvent('good')]);
    await received.waitFor(3);
    expect((await other.waitFor(3)).map(({ id }) => id).sort()).toEqual(['bad', 'good', 'worse']);
    await until(async () => (await admin().readLag()).every(({ lag }) => lag === 0));
    expect((await admin().readLag()).sort((a, b) => a.group.localeCompare(b.group))).toEqual([
      { group: 'g', topic, lag: 0, members: 1 },
      { group: 'other', topic, lag: 0, members: 1 },
    ]);
  });

  test('a replayed dead letter that fails again at once stays in the list', async () => {
    const bus = await startBus();
    let failures = 0;
    await bus.subscribe({
      group: 'g',
      topics: [topic],
      onEvent: async () => {
        failures++;
        throw new Error('still broken');
      },
    });
    await bus.publish(Array.from({ length: 20 }, (_, n) => createEvent(String(n), `key ${n}`)));
    await until(
      async () => (await admin().listDeadLetters({ group: 'g', limit: 1, after: null })).total === 20,
    );
    const before = failures;
    expect(await admin().replayDeadLetters({ group: 'g', ids: null })).toBe(20);
    await until(async () => failures === before + 60);
    await until(async () => (await admin().readLag()).every(({ lag }) => lag === 0));
    expect((await admin().listDeadLetters({ group: 'g', limit: 1, after: null })).total).toBe(20);
  });

  test('the list of dead letters goes on where a page ended', async () => {
    const bus = await startBus();
    for (const group of ['f', 'g'])
      await bus.subscribe({ group, topics: [topic], onEvent: () => Promise.reject(new Error('broken')) });
    await bus.publish(['1', '2', '3'].map((id) => createEvent(id)));
    await until(async () => (await rowsOf()).length === 6);
    const all = await rowsOf();
    expect(all.map(({ failed_at: failedAt }) => failedAt)).toEqual(
      all.map(({ failed_at: failedAt }) => failedAt).sort(),
    );
    const first = await admin().listDeadLetters({ group: null, limit: 4, after: null });
    const second = await admin().listDeadLetters({ group: null, limit: 4, after: first.next });
    expect([...first.rows, ...second.rows]).toEqual(all);
    expect([first.rows.length, first.total, second.next]).toEqual([4, 6, null]);
  });

  test('what a topic refuses for its size holds up nothing, and is named', async () => {
    const bus = await startBus();
    await withAdmin(options, logger, (kafka) =>
      kafka.createTopics({
        topics: [
          {
            topic: options.topicPrefix + topic,
            numPartitions: 3,
            configEntries: [{ name: 'max.message.bytes', value: '2000' }],
          },
        ],
      }),
    );
    const received = createCollector();
    await bus.subscribe({ group: 'g', topics: [topic], onEvent: async (event) => received.add(event) });
    const large = { ...createEvent('large', 'key 1'), payload: new Uint8Array(3000) };
    const small = Array.from({ length: 60 }, (_, n) => createEvent(String(n), `key ${n % 5}`));
    const refused = await bus
      .publish([...small.slice(0, 30), large, ...small.slice(30)])
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(EventsRefusedError);
    expect((refused as EventsRefusedError).events).toEqual([large]);
    // Batches that are too large only together.
    await bus.publish(Array.from({ length: 60 }, (_, n) => createEvent(String(60 + n), `key ${n % 5}`)));
    const ids = (await received.waitFor(120)).map(({ id }) => Number(id));
    expect(new Set(ids).size).toBe(120);
    for (let key = 0; key < 5; key++) {
      const ofKey = ids.filter((id) => id % 5 === key);
      expect(ofKey).toEqual([...ofKey].sort((left, right) => left - right));
    }
    expect(await bus.status?.()).toMatchObject({ state: 'OK' });
  });

  test('a group that gathers handles together what another group gets one by one', async () => {
    const bus = await startBus();
    const subscribe = async (group: string, gathers: boolean) => {
      const received = createCollector();
      const together: number[] = [];
      const collect = async (events: readonly EventRecord[]) => {
        together.push(events.length);
        events.map(received.add);
      };
      const batchHandlers = new Map([[topic, collect]]);
      const onEvent = (event: EventRecord) => collect([event]);
      await bus.subscribe({ group, topics: [topic], gathers, onEvent, batchHandlers });
      return { received, together };
    };
    const gathering = await subscribe('gathering', true);
    const other = await subscribe('other', false);
    for (let count = 1; count <= 20; count++) {
      await bus.publish([createEvent(String(count), `key ${count}`)]);
      await other.received.waitFor(count);
    }
    await gathering.received.waitFor(20);
    expect(other.together).toHaveLength(20);
    expect(gathering.together.length).toBeLessThan(15);
  });

  test('a group that gathers handles together what all partitions have', async () => {
    const bus = await startBus();
    const events = Array.from({ length: 60 }, (_, n) => createEvent(String(n), `key ${n}`));
    await bus.publish(events);
    const received = createCollector();
    let calls = 0;
    const collect = async (together: readonly EventRecord[]) => {
      calls += 1;
      together.map(received.add);
    };
    const onEvent = (event: EventRecord) => collect([event]);
    const batchHandlers = new Map([[topic, collect]]);
    await bus.subscribe({ group: 'g', topics: [topic], gathers: true, onEvent, batchHandlers });
    const ids = (await received.waitFor(60)).map(({ id }) => Number(id));
    expect(ids.sort((one, other) => one - other)).toEqual(events.map(({ id }) => Number(id)));
    expect(calls).toBeLessThan(options.partitions);
    // Each partition is committed.
    await until(async () => (await admin().readLag()).some(({ lag }) => lag === 0));
  });

  test('consuming leaves nothing on the signal of the process', async () => {
    const combined = jest.spyOn(AbortSignal, 'any');
    const bus = await startBus();
    const received = createCollector();
    await bus.subscribe({ group: 'g', topics: [topic], onEvent: async (event) => received.add(event) });
    await bus.publish([createEvent('1')]);
    await received.waitFor(1);
    expect(combined).not.toHaveBeenCalled();
    combined.mockRestore();
  });

  test('a message that is no event becomes a dead letter and holds up nothing', async () => {
    const bus = await startBus();
    await bus.publish([createEvent('1')]);
    const client = createKafkaClient(options, logger);
    const producer = createProducer(client, () => {});
    await producer.connect();
    await producer.send({ topic: options.topicPrefix + topic, messages: [{ key: 'k', value: 'garbage' }] });
    await producer.disconnect();
    await bus.publish([createEvent('2')]);
    const received = createCollector();
    await bus.subscribe({ group: 'g', topics: [topic], onEvent: async (event) => received.add(event) });
    expect((await received.waitFor(2)).map(({ id }) => id)).toEqual(['1', '2']);
    await until(async () => (await rowsOf()).length === 1);
    expect(await rowsOf()).toMatchObject([{ topic, key: 'k', error: expect.stringMatching(/no event/) }]);
  });

  test('when another copy joins, every event is handled once and each key stays in order', async () => {
    const first = await startBus();
    const received = createCollector();
    const subscription = {
      group: 'g',
      topics: [topic],
      onEvent: async (event: EventRecord) => received.add(event),
    };
    await first.subscribe(subscription);
    const publishAll = async (from: number) => {
      for (let n = from; n < from + 300; n += 20)
        await first.publish(
          Array.from({ length: 20 }, (_, i) => createEvent(String(n + i), `key ${(n + i) % 9}`)),
        );
    };
    await publishAll(0);
    const second = createKafkaBus({ options, connection, logger, now: () => new Date() });
    buses.push(second);
    await second.subscribe(subscription);
    await publishAll(300);
    await until(async () => (await second.status?.())?.state === 'OK');
    await publishAll(600);
    const ids = (await received.waitFor(900)).map(({ id }) => Number(id));
    expect(new Set(ids).size).toBe(900);
    for (let key = 0; key < 9; key++) {
      const ofKey = ids.filter((id) => id % 9 === key);
      expect(ofKey).toEqual([...ofKey].sort((left, right) => left - right));
    }
    await second.stop();
    expect(received.records).toHaveLength(900);
  });

  test('a handler takes longer than the session while another copy joins: its event is handled once, the key stays in order', async () => {
    const first = await startBus();
    const second = await startBus();
    const handled: string[] = [];
    let begun = 0;
    let onBegun = () => {};
    const isBegun = new Promise<void>((resolve) => {
      onBegun = resolve;
    });
    const subscription = {
      group: 'g',
      topics: [topic],
      onEvent: async ({ id }: EventRecord) => {
        if (id === 'slow') {
          begun++;
          onBegun();
          await pause(sessionTimeoutMs + 3000);
        }
        handled.push(id);
      },
    };
    await first.subscribe(subscription);
    await until(async () => (await first.status?.())?.state === 'OK');
    await first.publish([createEvent('slow', 'key'), createEvent('next', 'key')]);
    await isBegun;
    await second.subscribe(subscription);
    await until(async () => handled.length >= 2 && (await second.status?.())?.state === 'OK');
    await first.publish([createEvent('last', 'key')]);
    await until(async () => handled.includes('last'));
    expect({ begun, handled }).toEqual({ begun: 1, handled: ['slow', 'next', 'last'] });
  });

  test('a publisher shows the lag of a group that hangs; the group counts its dead letters until they are replayed', async () => {
    let release = () => {};
    const hanging = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isBroken = true;
    const consumer = await startBus();
    await consumer.subscribe({
      group: 'g',
      topics: [topic],
      onEvent: async ({ id }) => {
        if (id === 'bad' && isBroken) throw new Error('cannot read it');
        if (id === 'slow') await hanging;
      },
    });
    const publisher = await startBus();
    await publisher.publish([createEvent('bad', 'a')]);
    const dead = createKafkaGroupStates(options, logger);
    const letters = async () => (await dead.read([{ group: 'g', topics: [topic] }]))[0]?.deadLetters;
    await until(async () => (await letters()) === 1);
    await publisher.publish([createEvent('slow', 'b'), createEvent('2', 'b'), createEvent('3', 'b')]);
    const watching = createKafkaGroupStates(options, logger);
    await until(async () => (await watching.read([]))[0]?.lags[0]?.lag === 3);
    expect(await watching.read([])).toEqual([
      { group: 'g', lags: [{ topic, lag: 3 }], members: 1, deadLetters: null },
    ]);
    release();
    isBroken = false;
    await until(async () => (await watching.read([]))[0]?.lags[0]?.lag === 0);
    expect(await admin().replayDeadLetters({ group: null, ids: null })).toBe(1);
    let laterMs = 0;
    const later = createKafkaGroupStates(options, logger, () => {
      laterMs += 60_000;
      return laterMs;
    });
    await until(async () => (await later.read([{ group: 'g', topics: [topic] }]))[0]?.deadLetters === 0);
    for (const states of [dead, watching, later]) states.stop();
  });

  test('a discarded dead letter leaves the list and is not delivered again', async () => {
    let attempts = 0;
    const bus = await startBus();
    await bus.subscribe({
      group: 'g',
      topics: [topic],
      onEvent: async () => {
        attempts += 1;
        throw new Error('cannot read it');
      },
    });
    await bus.publish([createEvent('bad', 'a'), createEvent('worse', 'b')]);
    const listed = async () =>
      (await admin().listDeadLetters({ group: null, limit: 10, after: null })).rows
        .map(({ id }) => id)
        .sort();
    await until(async () => (await listed()).length === 2);
    expect(await admin().discardDeadLetters({ group: null, ids: ['bad', 'unknown'] })).toBe(1);
    expect(await listed()).toEqual(['worse']);
    expect(attempts).toBe(6);
  });

  test('the metrics of a bus whose brokers are away are missing, and do not wait for them', async () => {
    const metrics = createMetrics();
    const away = createKafkaBus({
      options: { ...options, brokers: ['127.0.0.1:1'] },
      connection,
      logger,
      metrics,
      now: () => new Date(),
    });
    buses.push(away);
    expect(await metrics.registry.getSingleMetricAsString('shelfwise_event_consumers')).not.toMatch(
      /^shelf/m,
    );
  });
});

describe('the event bus without a broker', () => {
  const { logger } = createRecordingLogger();
  let server: Server;
  let connection: Connection;
  beforeEach(async () => {
    connection = await mongoose.createConnection(databaseUri(), { dbName: randomUUID() }).asPromise();
    // Accepts connections and never answers.
    server = createServer((socket) => socket.resume());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    jest.useRealTimers();
    await connection.close();
    server.close();
  });

  test('a service that only publishes has no collection of applied events, which its schema would lack', async () => {
    const bus = createKafkaBus({ options: unreachableKafka, connection, logger, now: () => new Date() });
    expect(connection.modelNames()).toEqual([]);
    await bus.subscribe({ group: 'g', topics: ['a.v1'], onEvent: async () => {} });
    expect(connection.modelNames()).toEqual(['AppliedEvent']);
    await bus.stop();
  });

  test.each(['a closed port', 'a peer that never answers'])(
    'the process starts, is degraded, publishes nothing and stops in time: %s',
    async (peer) => {
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'performance', 'Date'] });
      const port = peer === 'a closed port' ? 1 : (server.address() as AddressInfo).port;
      const bus = createKafkaBus({
        options: { ...unreachableKafka, brokers: [`127.0.0.1:${port}`] },
        connection,
        logger,
        now: () => new Date(),
      });
      await bus.subscribe({ group: 'g', topics: ['a.v1'], onEvent: async () => {} });
      expect(await bus.status?.()).toMatchObject({
        name: 'event bus',
        state: 'DEGRADED',
        detail: expect.stringMatching(/^Kafka is not ready/),
      });
      let hasWaited = false;
      setImmediate(() => {
        hasWaited = true;
      });
      await expect(bus.publish([createEvent('1')])).rejects.toThrow('the event brokers cannot be reached');
      expect(hasWaited).toBe(false);
      let isStopped = false;
      const stopping = bus.stop().then(() => {
        isStopped = true;
      });
      for (let ms = 0; ms < 6000 && !isStopped; ms += 100) {
        await jest.advanceTimersByTimeAsync(100);
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(isStopped).toBe(true);
      await stopping;
    },
  );
});
