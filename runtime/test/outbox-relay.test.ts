import { randomUUID } from 'node:crypto';
import { type Connection, type Model, Schema } from 'mongoose';
import { createManualClock, type ManualClock } from '../../testing/manual-clock.ts';
import { recordCommands } from '../../testing/record-commands.ts';
import { until } from '../../testing/until.ts';
import { useDatabase } from '../../testing/use-database.ts';
import { type EventBus, type EventRecord, EventsRefusedError } from '../src/events/event-bus.ts';
import { outboxFields, outboxInsert, outboxSet } from '../src/events/outbox.ts';
import { createOutboxRelay, type OutboxRelay } from '../src/events/outbox-relay.ts';
import type { Logger } from '../src/log/logger.ts';
import { createMetrics, type Metrics } from '../src/metrics/metrics.ts';
import { createLeaseModel } from '../src/mongo/lease.ts';
import { createRecordingLogger } from './recording-logger.ts';

type Row = { _id: number };
const schema = new Schema<Row>({ _id: Number, ...outboxFields }, { versionKey: false }).index(
  { outbox_since: 1 },
  { sparse: true },
);

const database = useDatabase({
  database: 'relay',
  createModels: (connection) => [
    connection.model('Row', schema, 'rows'),
    connection.model('Other', schema, 'others'),
    createLeaseModel(connection),
  ],
  migrations: [],
});

const start = new Date('2026-03-10T12:00:00Z');
const topic = 'rows.changed.v1';
const newEvent = (key: string, at: Date) => ({
  id: `${key}-${randomUUID()}`,
  stored: { topic, key, payload: Buffer.from('x'), at, request_id: null },
});

/** A database with one collection, and copies of a service that publish from it to one bus. */
async function setUp() {
  const { logger, lines } = createRecordingLogger();
  const { name, connection } = await database.take();
  const rows = connection.model<Row>('Row');
  const clock = createManualClock(start.toISOString());
  const bus = createScriptedBus();
  let written = 0;

  /** Adds an event to a row, which is created when it is new. Returns the id of the event. */
  async function change(_id: number): Promise<string> {
    const at = new Date(start.getTime() + written++);
    const event = newEvent(String(_id), at);
    const { matchedCount } = await rows.updateOne({ _id }, { $set: outboxSet(event, at) });
    if (matchedCount === 0) await rows.collection.insertOne({ _id, ...outboxInsert(event, at) } as never);
    return event.id;
  }

  async function startCopy(
    options: { hasCopies?: boolean; bus?: EventBus | null; withOthers?: boolean } = {},
  ) {
    const { connection: own } = await database.join(name);
    const metrics = createMetrics({ now: clock.now });
    const relay = createRelay(own, { ...options, clock, logger, metrics, defaultBus: bus });
    return { relay, connection: own, metrics, commands: recordCommands(own) };
  }
  const pendingRows = () => rows.countDocuments({ outbox_since: { $ne: null } });
  return { rows, clock, bus, lines, change, startCopy, pendingRows };
}

function createRelay(
  connection: Connection,
  {
    hasCopies = true,
    withOthers = false,
    clock,
    logger,
    bus,
    metrics,
    defaultBus,
  }: {
    hasCopies?: boolean;
    withOthers?: boolean;
    clock: ManualClock;
    logger: Logger;
    metrics: Metrics;
    bus?: EventBus | null;
    defaultBus: EventBus;
  },
): OutboxRelay {
  const models = [connection.model('Row', schema, 'rows')];
  if (withOthers) models.push(connection.model('Other', schema, 'others'));
  return createOutboxRelay({
    models: models as unknown as Model<unknown>[],
    service: 'probe',
    bus: bus === undefined ? defaultBus : bus,
    hasCopies,
    logger,
    metrics,
    now: clock.now,
    monotonicMs: clock.monotonicMs,
    sleep: clock.sleep,
  });
}

function createScriptedBus() {
  const published: string[] = [];
  const bus = {
    isEmbedded: false,
    published,
    beforePublish: async (_events: readonly EventRecord[]) => {},
    afterPublish: async () => {},
    async publish(events: readonly EventRecord[]) {
      await bus.beforePublish(events);
      published.push(...events.map(({ id }) => id));
      await bus.afterPublish();
    },
    async subscribe() {},
    async stop() {},
  } satisfies EventBus & Record<string, unknown>;
  return bus;
}

/** Lets the copies look again. */
async function poll(clock: ManualClock, relays: readonly OutboxRelay[], ms = 1000): Promise<void> {
  clock.advance(ms);
  await Promise.all(relays.map((relay) => relay.poll()));
}

test('two copies publish each event once, and one continues at once when the other stops', async () => {
  const { clock, bus, change, startCopy, pendingRows } = await setUp();
  const copies = [await startCopy(), await startCopy()];
  const relays = copies.map(({ relay }) => relay);
  const ids: string[] = [];
  for (let round = 0; round < 10; round++) {
    for (const relay of relays) relay.wake();
    ids.push(...(await Promise.all([1, 2, 3, 4, 5, 6].map(change))));
    await poll(clock, relays, 100);
  }
  await until(async () => {
    await poll(clock, relays, 0);
    return (await pendingRows()) === 0;
  });
  expect(bus.published.toSorted()).toEqual(ids.toSorted());

  const [first, second] = relays as [OutboxRelay, OutboxRelay];
  await first.stop();
  const later = await change(1);
  await second.stop();
  expect(bus.published.filter((id) => id === later)).toHaveLength(1);
});

test('when a copy dies between publishing and emptying, the other repeats that batch after the lease, in order', async () => {
  const { clock, bus, change, startCopy, pendingRows } = await setUp();
  const [dying, other] = [await startCopy(), await startCopy()];
  const ids = [await change(1), await change(1), await change(2)];
  bus.afterPublish = async () => {
    await dying.connection.close();
  };
  dying.relay.wake();
  await until(() => bus.published.length === 3);
  bus.afterPublish = async () => {};
  ids.push(await change(1));
  for (let second = 0; second < 5; second++) await poll(clock, [other.relay]);
  expect(bus.published).toHaveLength(3);
  await until(async () => {
    await poll(clock, [other.relay]);
    return (await pendingRows()) === 0;
  });
  const ofFirst = bus.published.filter((id) => id.startsWith('1-'));
  expect(ofFirst.slice(-3)).toEqual([ids[0], ids[1], ids[3]]);
  expect(new Set(bus.published)).toEqual(new Set(ids));
});

test('a copy that stood still for longer than its lease does not publish what it read before', async () => {
  const { clock, bus, change, startCopy, pendingRows } = await setUp();
  const [frozen, other] = [await startCopy(), await startCopy()];
  await change(1);
  // It stands still within its query.
  const model = frozen.connection.models.Row as Model<unknown>;
  const { find } = model.collection;
  let thaw = () => {};
  let isReading = false;
  model.collection.find = function (this: typeof model.collection, ...args: Parameters<typeof find>) {
    const cursor = find.apply(this, args);
    const { toArray } = cursor;
    cursor.toArray = async function (this: typeof cursor) {
      const documents = await toArray.apply(this);
      if (frozen.relay !== undefined && (await leaseHolder(frozen.connection)) !== undefined && !isReading) {
        isReading = true;
        await new Promise<void>((resolve) => (thaw = resolve));
      }
      return documents;
    };
    return cursor;
  } as typeof find;
  frozen.relay.wake();
  await until(() => isReading);
  await poll(clock, [other.relay]);
  await until(async () => {
    await poll(clock, [other.relay], 1500);
    return (await pendingRows()) === 0;
  });
  const published = bus.published.length;
  thaw();
  await frozen.relay.stop();
  expect([published, bus.published.length]).toEqual([1, 1]);
});

test('a copy with nothing left to publish gives the lease back, so that another one publishes its events at once', async () => {
  const { clock, bus, change, startCopy, pendingRows } = await setUp();
  const [first, second] = [await startCopy(), await startCopy()];
  for (const { relay } of [first, second]) {
    relay.start();
    await relay.poll();
  }
  const ids = [await change(1)];
  first.relay.wake();
  await until(async () => (await pendingRows()) === 0);
  const firstHolder = await leaseHolder(first.connection);
  expect(firstHolder).toEqual(expect.any(String));
  await until(async () => {
    clock.advance(100);
    return (await leaseHolder(first.connection)) === null;
  });
  ids.push(await change(2));
  second.relay.wake();
  await until(() => bus.published.length === 2);
  expect(bus.published).toEqual(ids);
  expect(await leaseHolder(first.connection)).not.toBe(firstHolder);
  for (const { relay } of [first, second]) await relay.stop();
});

test('an event of a copy that has the lease no more is published by its holder', async () => {
  const { clock, bus, change, startCopy } = await setUp();
  const [holder, other] = [await startCopy(), await startCopy()];
  for (const { relay } of [holder, other]) {
    relay.start();
    await relay.poll();
  }
  await change(1);
  holder.relay.wake();
  await until(() => bus.published.length === 1);
  const id = await change(2);
  other.relay.wake();
  // Neither is woken again, and the other one does not stop.
  await until(() => {
    clock.advance(100);
    return bus.published.length === 2;
  });
  expect(bus.published.at(-1)).toBe(id);
  for (const { relay } of [holder, other]) await relay.stop();
});

test.each([true, false])(
  'an idle relay looks every five seconds, for what a copy that died has left (with copies: %s)',
  async (hasCopies) => {
    const { clock, bus, change, startCopy } = await setUp();
    const { relay, commands, connection } = await startCopy({ hasCopies });
    relay.start();
    await relay.poll();
    const id = await change(1);
    commands.length = 0;
    clock.advance(4999);
    // A command of a look would come before it.
    await connection.db?.command({ ping: 1 });
    expect(commands).toEqual(['ping 1']);
    clock.advance(1);
    await until(() => bus.published.length === 1);
    expect(bus.published).toEqual([id]);
    await relay.stop();
  },
);

const leaseHolder = async (connection: Connection) =>
  (await connection.collection('held_leases').findOne({}))?.holder;

test('while the bus is down, new events cause no queries, the log has one warning, and all are published when it is back', async () => {
  const { clock, bus, lines, change, startCopy, pendingRows } = await setUp();
  const { relay, commands, connection } = await startCopy();
  bus.beforePublish = async () => {
    throw new Error('the bus is unavailable');
  };
  await change(1);
  await poll(clock, [relay], 0);
  expect(commands).toContain('find rows');
  commands.length = 0;
  for (let event = 0; event < 100; event++) relay.wake();
  await poll(clock, [relay], 0);
  // A command that a wake had sent would come before it.
  await connection.db?.command({ ping: 1 });
  expect(commands).toEqual(['ping 1']);
  // A minute of polls: the pauses grow to 2 s.
  for (let second = 0; second < 60; second++) await poll(clock, [relay]);
  const tries = commands.filter((command) => command === 'find rows').length;
  expect(tries).toBeGreaterThan(5);
  expect(tries).toBeLessThan(50);
  expect(lines.filter((line) => line.includes('publishing failed'))).toHaveLength(1);
  bus.beforePublish = async () => {};
  await until(async () => {
    await poll(clock, [relay]);
    return (await pendingRows()) === 0;
  });
  expect(bus.published).toHaveLength(1);
});

test('an event that the bus refuses holds up no other, stays in its outbox, and is tried again with the next of its document', async () => {
  const { rows, clock, bus, lines, change, startCopy, pendingRows } = await setUp();
  const { relay } = await startCopy();
  const large = await change(1);
  const others = [await change(1), await change(2)];
  let limitBytes = 0;
  bus.publish = async (events) => {
    const isRefused = ({ id }: EventRecord) => id === large && limitBytes === 0;
    bus.published.push(...events.filter((event) => !isRefused(event)).map(({ id }) => id));
    if (events.some(isRefused))
      throw new EventsRefusedError(events.filter(isRefused), new Error('too large'));
  };
  relay.wake();
  await until(async () => {
    await poll(clock, [relay], 0);
    return (await pendingRows()) === 0;
  });
  expect(bus.published).toEqual(others);
  expect(Object.keys((await rows.findById(1).lean<{ outbox: object }>())?.outbox ?? {})).toEqual([large]);
  const errors = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 50);
  expect(errors).toMatchObject([{ eventId: large, topic, eventKey: '1', bytes: 1 }]);
  expect((await relay.status()).detail).toMatch(/^0 changes not published yet/);

  limitBytes = 1;
  const next = await change(1);
  relay.wake();
  await until(async () => {
    await poll(clock, [relay], 0);
    return (await pendingRows()) === 0;
  });
  expect(bus.published).toEqual([...others, large, next]);
  expect(await rows.countDocuments({ outbox: { $ne: null } })).toBe(0);
});

test('a refused event does not clear an event that was written meanwhile', async () => {
  const { clock, bus, change, startCopy, pendingRows } = await setUp();
  const { relay } = await startCopy();
  const [large, small] = [await change(1), await change(1)];
  let later: string | undefined;
  bus.publish = async (events) => {
    later ??= await change(1);
    const refused = events.filter(({ id }) => id === large);
    bus.published.push(...events.filter(({ id }) => id !== large).map(({ id }) => id));
    throw new EventsRefusedError(refused, new Error('too large'));
  };
  await until(async () => {
    await poll(clock, [relay]);
    return (await pendingRows()) === 0;
  });
  expect(bus.published).toEqual([small, later]);
});

test('the only copy on a database needs no lease', async () => {
  const { bus, change, startCopy, pendingRows, clock } = await setUp();
  const { relay, commands } = await startCopy({ hasCopies: false });
  await change(1);
  await poll(clock, [relay]);
  await until(async () => (await pendingRows()) === 0);
  await relay.stop();
  expect(bus.published).toHaveLength(1);
  expect(commands.filter((command) => command.endsWith('held_leases'))).toEqual([]);
});

test('one look publishes a backlog of several batches, the oldest first', async () => {
  const { rows, bus, startCopy } = await setUp();
  const { relay } = await startCopy({ hasCopies: false });
  const events = Array.from({ length: 120 }, (_, index) => {
    const at = new Date(start.getTime() + index);
    return { at, event: newEvent(String(index), at) };
  });
  await rows.collection.insertMany(
    events.map(({ at, event }, _id) => ({ _id, ...outboxInsert(event, at) })) as never[],
  );
  await relay.poll();
  expect(bus.published).toEqual(events.map(({ event }) => event.id));
  await relay.stop();
});

test('the backlog is counted up to 1,000', async () => {
  const { rows, startCopy } = await setUp();
  const { relay } = await startCopy({ bus: null });
  expect((await relay.status()).detail).toMatch(/^0 changes not published yet/);
  await rows.collection.insertMany(
    Array.from({ length: 1001 }, (_, _id) => ({
      _id,
      ...outboxInsert(newEvent('1', start), start),
    })) as never[],
  );
  expect((await relay.status()).detail).toMatch(/^1,000 or more changes not published yet/);
  const limited = await rows.countDocuments({ outbox_since: { $gt: new Date(0) } }, { limit: 1000 });
  expect(limited).toBe(1000);
});

test('metrics show how many documents wait and since when; when the database does not answer, they are missing', async () => {
  const { clock, change, startCopy } = await setUp();
  const { metrics, connection } = await startCopy({ bus: null });
  const read = async () => {
    const text = await metrics.registry.metrics();
    return [...text.matchAll(/^shelfwise_outbox_(\w+)\{service="probe"\} (\S+)$/gm)].map(
      ([, name, value]) => `${name} ${value}`,
    );
  };
  expect(await read()).toEqual(['pending_documents 0', 'oldest_event_age_seconds 0']);

  const { metrics: later } = await startCopy({ bus: null });
  await change(1);
  await change(2);
  await clock.advance(90_000);
  const text = await later.registry.metrics();
  expect(text).toContain('shelfwise_outbox_pending_documents{service="probe"} 2');
  expect(text).toContain('shelfwise_outbox_oldest_event_age_seconds{service="probe"} 90');

  const { metrics: without, connection: closed } = await startCopy({ bus: null });
  await closed.close();
  expect(await without.registry.metrics()).not.toMatch(/^shelfwise_outbox/m);
  await connection.close();
});

describe('a wake that names what was written', () => {
  /** An event that no wake tells of, as after a write that failed only for its writer. */
  async function addOther(connection: Connection, key: string): Promise<string> {
    const event = newEvent(key, start);
    await connection.collection('others').insertOne({ _id: key as never, ...outboxInsert(event, start) });
    return event.id;
  }
  const row = { modelName: 'Row' };

  test('looks only there, and after five seconds everywhere, however often it comes', async () => {
    const { clock, bus, change, startCopy, pendingRows } = await setUp();
    const { relay, connection, commands } = await startCopy({ hasCopies: false, withOthers: true });
    await relay.poll();
    expect(commands).toContain('find others');
    const other = await addOther(connection, 'other');
    commands.length = 0;
    const ids: string[] = [];
    for (let second = 0; second < 4; second++) {
      clock.advance(1000);
      ids.push(await change(second));
      relay.wake(row);
      await until(async () => (await pendingRows()) === 0);
    }
    expect(bus.published).toEqual(ids);
    expect(commands).not.toContain('find others');
    clock.advance(1000);
    relay.wake(row);
    await until(() => bus.published.includes(other));
  });

  test('does not put off the next look everywhere', async () => {
    const { clock, bus, change, startCopy } = await setUp();
    const { relay, connection } = await startCopy({ hasCopies: false, withOthers: true });
    relay.start();
    await relay.poll();
    const other = await addOther(connection, 'other');
    clock.advance(3000);
    const id = await change(1);
    relay.wake(row);
    // After that look.
    await until(() => clock.sleeping(2000) === 1);
    expect(bus.published).toEqual([id]);
    clock.advance(2000);
    await until(() => bus.published.includes(other));
    await relay.stop();
  });

  test('looks everywhere after a failure, and while there are copies', async () => {
    const { clock, bus, change, startCopy } = await setUp();
    const { relay, connection } = await startCopy({ hasCopies: false, withOthers: true });
    await relay.poll();
    bus.beforePublish = async () => {
      throw new Error('the bus is unavailable');
    };
    const failed = await addOther(connection, 'failed');
    await poll(clock, [relay], 0);
    bus.beforePublish = async () => {};
    clock.advance(2000);
    const id = await change(1);
    relay.wake(row);
    await until(() => bus.published.length === 2);
    expect(bus.published.toSorted()).toEqual([failed, id].toSorted());

    const copy = await startCopy({ withOthers: true });
    await relay.stop();
    await copy.relay.poll();
    const other = await addOther(connection, 'other');
    copy.relay.wake(row);
    await until(() => bus.published.includes(other));
    await copy.relay.stop();
  });
});
