import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sleep, sleep as wallClockSleep } from '@shelfwise/runtime/concurrency/sleep';
import type { EventAdmin } from '@shelfwise/runtime/events/event-admin';
import type { EventBus } from '@shelfwise/runtime/events/event-bus';
import { createMetrics, type Metrics } from '@shelfwise/runtime/metrics/metrics';
import mongoose, { type Connection } from 'mongoose';
import { describeEventBus } from '../../testing/event-bus-contract.ts';
import { createCollector, createEvent } from '../../testing/event-collector.ts';
import { until } from '../../testing/until.ts';
import { createEmbeddedBus } from '../src/bus/embedded-bus.ts';
import { createEmbeddedEventAdmin } from '../src/bus/embedded-event-admin.ts';
import { createEventLog } from '../src/bus/event-log.ts';
import { type RunningEngine, startEngine } from '../src/start-engine.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'bus-'));
const retry = { retries: 2, firstMs: 1, longestMs: 2 };
let engine: RunningEngine;
let connection: Connection;
const buses: EventBus[] = [];

beforeAll(async () => {
  engine = await startEngine({ dataDir });
  connection = await mongoose.createConnection(engine.mongodbUri, { dbName: 'bus' }).asPromise();
});
afterEach(async () => {
  await Promise.all(buses.splice(0).map((bus) => bus.stop()));
  await connection.dropDatabase();
});
afterAll(async () => {
  await connection.close();
  await engine.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function startBus(
  metrics = createMetrics(),
  sleep = wallClockSleep,
): Promise<EventBus & { admin: EventAdmin }> {
  const bus = await createEmbeddedBus({ connection, retry, metrics, sleep });
  buses.push(bus);
  return bus;
}

const sleepUntilStop: Sleep = (_, signal) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

const openMonitored = () =>
  mongoose.createConnection(engine.mongodbUri, { dbName: 'bus', monitorCommands: true }).asPromise();

describeEventBus(() => startBus());

test('a dead letter is stored with its event and the error', async () => {
  const bus = await startBus();
  const received = createCollector();
  await bus.subscribe({
    group: 'g',
    topics: ['things.made.v1'],
    onEvent: async (record) => {
      if (record.id === 'bad') throw new Error('cannot read it');
      received.add(record);
    },
  });
  await bus.publish([createEvent('bad'), createEvent('good')]);
  await received.waitFor(1);
  const deadLetters = await connection.collection('bus_dead_letters').find().toArray();
  expect(deadLetters).toMatchObject([{ id: 'bad', group: 'g', attempts: 3, topic: 'things.made.v1' }]);
  expect(deadLetters[0]?.error).toMatch('cannot read it');
});

test('events of one key arrive in publishing order across two topics', async () => {
  const bus = await startBus();
  const received = createCollector();
  const topics = ['a.v1', 'b.v1'];
  await bus.subscribe({ group: 'g', topics, onEvent: async (record) => received.add(record) });
  const sent = Array.from({ length: 300 }, (_, n) => createEvent(`${n}`, `key${n % 7}`, topics[n % 2]));
  await Promise.all(sent.map((record) => bus.publish([record])));
  const ids = (await received.waitFor(300)).reduce((byKey, record) => {
    byKey.set(record.key, [...(byKey.get(record.key) ?? []), Number(record.id)]);
    return byKey;
  }, new Map<string, number[]>());
  expect(ids.size).toBe(7);
  for (const list of ids.values()) expect(list).toEqual([...list].sort((left, right) => left - right));
});

test('an event that is published twice with the same id is stored once', async () => {
  const bus = await startBus();
  await bus.publish([createEvent('1'), createEvent('1')]);
  await bus.publish([createEvent('1'), createEvent('2')]);
  const stored = await connection.collection('bus_events').find().sort({ _id: 1 }).toArray();
  expect(stored.map(({ id }) => id)).toEqual(['1', '2']);
});

test('offsets go on behind events that were handled and have expired, also after a restart', async () => {
  const first = await createEventLog({ connection, now: () => new Date('2026-01-01') });
  await first.append([createEvent('1'), createEvent('2')]);
  await first.commitOffsets('g', new Map([['things.made.v1', 3]]));
  await first.deleteBefore(new Date('2026-01-02'));
  const second = await createEventLog({ connection, now: () => new Date() });
  await second.append([createEvent('3')]);
  const read = await second.read(await second.readOffsets('g', ['things.made.v1']), 10);
  expect(read).toMatchObject([{ offset: 3, event: { id: '3' } }]);
});

test('events are removed after the retention time, not before, in batches', async () => {
  let time = new Date('2026-01-01');
  const log = await createEventLog({ connection, now: () => time });
  await log.append(Array.from({ length: 60 }, (_, n) => createEvent(`old ${n}`)));
  time = new Date('2026-01-05');
  await log.append([createEvent('new')]);
  const bus = await createEmbeddedBus({ connection, now: () => new Date('2026-01-09'), retentionDays: 7 });
  buses.push(bus);
  const left = async () =>
    (await log.read(new Map([['things.made.v1', 0]]), 100)).map(({ event }) => event.id);
  while ((await left()).length > 1) await new Promise((resolve) => setImmediate(resolve));
  expect(await left()).toEqual(['new']);
});

const never = new AbortController().signal;
const storedIds = async () =>
  (await connection.collection('bus_events').find().sort({ _id: 1 }).toArray()).map(({ id }) => id);

test('an event is deleted when all groups of its topic have handled it, also those that do not run', async () => {
  const at = new Date('2026-01-01');
  const log = await createEventLog({ connection, now: () => at });
  const many = Array.from({ length: 120 }, (_, n) => createEvent(`${n}`));
  await log.append([...many, createEvent('unread', 'k', 'none.v1')]);
  await log.register('away', ['things.made.v1']);
  await log.commitOffsets('g', new Map([['things.made.v1', 200]]));
  const later = new Date('2026-01-02');
  await log.deleteHandled(later, never);
  expect(await storedIds()).toHaveLength(121);
  await log.commitOffsets('away', new Map([['things.made.v1', 119]]));
  await log.deleteHandled(at, never);
  expect(await storedIds()).toHaveLength(121);
  // In batches of 50.
  await log.deleteHandled(later, never);
  expect(await storedIds()).toEqual(['118', '119', 'unread']);
  expect(await log.readLag()).toEqual([
    { group: 'away', topic: 'things.made.v1', lag: 2 },
    { group: 'g', topic: 'things.made.v1', lag: 0 },
  ]);
  await log.append([createEvent('new')]);
  const restarted = await createEventLog({ connection, now: () => at });
  const read = await restarted.read(await restarted.readOffsets('away', ['things.made.v1']), 10);
  expect(read.map(({ event: { id } }) => id)).toEqual(['118', '119', 'new']);
});

test('a handled event is delivered once when it is published again within an hour; then its body is deleted', async () => {
  let time = new Date('2026-01-01T00:00:00Z');
  const passes: (() => void)[] = [];
  const sleep: Sleep = (ms, signal) =>
    new Promise((resolve) => {
      if (ms === 600_000) passes.push(resolve);
      if (ms === 1000) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  const bus = await createEmbeddedBus({ connection, retry, sleep, now: () => time });
  buses.push(bus);
  const topics = ['things.made.v1'];
  const received = createCollector();
  let release = () => {};
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  await bus.subscribe({ group: 'g', topics, onEvent: async (record) => received.add(record) });
  await bus.subscribe({ group: 'slow', topics, onEvent: () => blocked });
  await bus.publish([createEvent('1')]);
  await received.waitFor(1);
  const pass = async () => {
    const done = passes.length;
    passes.at(-1)?.();
    await until(async () => passes.length > done);
  };
  time = new Date('2026-01-01T02:00:00Z');
  await pass();
  expect(await storedIds()).toEqual(['1']);
  release();
  await until(async () => (await bus.admin.readLag()).every(({ lag }) => lag === 0));
  time = new Date('2026-01-01T01:00:00Z');
  await pass();
  await bus.publish([createEvent('1'), createEvent('2')]);
  expect((await received.waitFor(2)).map(({ id }) => id)).toEqual(['1', '2']);
  time = new Date('2026-01-01T01:00:01Z');
  await pass();
  expect(await storedIds()).toEqual(['2']);
});

test('what was handled and not committed at a crash is not deleted', async () => {
  const topics = ['things.made.v1'];
  const crashed = await startBus(createMetrics(), sleepUntilStop);
  const before = createCollector();
  await crashed.subscribe({ group: 'g', topics, onEvent: async (record) => before.add(record) });
  await crashed.publish([createEvent('1')]);
  await before.waitFor(1);
  const log = await createEventLog({ connection, now: () => new Date() });
  await log.deleteHandled(new Date('2100-01-01'), never);
  expect(await storedIds()).toEqual(['1']);
});

test('a replay that a crash interrupted delivers each event once, also after handled events were deleted', async () => {
  const log = await createEventLog({ connection, now: () => new Date('2026-01-01') });
  const [topic, group] = ['things.made.v1', 'g'];
  await log.append([createEvent('1')]);
  await log.addDeadLetter(group, { event: createEvent('1'), error: new Error('broken'), attempts: 3 });
  const letters = await log.findDeadLetters({ group, ids: null, after: null }, 10);
  await log.replay(letters);
  await log.commitOffsets(group, new Map([[topic, 3]]));
  await log.deleteHandled(new Date('2026-01-02'), never);
  // The letter would still be there after the crash.
  await log.replay(letters);
  expect(await log.read(await log.readOffsets(group, [topic]), 10)).toEqual([]);
  expect(await storedIds()).toEqual([expect.stringContaining('1 for g, failed 2026')]);
});

test('a group that has handled nothing yet looks once, not at each event of other topics', async () => {
  const monitor = await openMonitored();
  try {
    const bus = await createEmbeddedBus({ connection: monitor, sleep: sleepUntilStop });
    buses.push(bus);
    const received = createCollector();
    const onEvent = async (record: { id: string }) => received.add(record as never);
    await bus.subscribe({ group: 'g', topics: ['a.v1'], onEvent });
    await bus.subscribe({ group: 'idle', topics: ['b.v1'], onEvent });
    await bus.publish([createEvent('1', 'k', 'a.v1')]);
    await received.waitFor(1);
    const finds: unknown[] = [];
    monitor.getClient().on('commandStarted', ({ command }) => {
      if (command.find === 'bus_events') finds.push(command.filter.topic);
    });
    for (const id of ['2', '3', '4']) {
      await bus.publish([createEvent(id, 'k', 'a.v1')]);
      await received.waitFor(Number(id));
    }
    await bus.publish([createEvent('5', 'k', 'b.v1')]);
    expect((await received.waitFor(5)).map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5']);
    expect(finds).toEqual([]);
  } finally {
    await monitor.close();
  }
});

/** Pauses end with the stop; those before a commit also when the test ends them. */
function holdCommits() {
  const commitDelays: (() => void)[] = [];
  const sleep: Sleep = (ms, signal) =>
    new Promise((resolve) => {
      // The others are those of the sweep.
      if (ms === 1000) commitDelays.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  return { sleep, commitDelays };
}

test('what several groups have handled is committed with one write', async () => {
  const monitor = await openMonitored();
  try {
    const committed: number[] = [];
    const { sleep, commitDelays } = holdCommits();
    const bus = await createEmbeddedBus({ connection: monitor, sleep });
    buses.push(bus);
    const received = createCollector();
    for (const group of ['g', 'h'])
      await bus.subscribe({ group, topics: ['a.v1'], onEvent: async (record) => received.add(record) });
    monitor.getClient().on('commandStarted', ({ commandName, command }) => {
      if (commandName === 'update') committed.push(command.updates.length);
    });
    await bus.publish([createEvent('1', 'k', 'a.v1')]);
    await received.waitFor(2);
    await until(() => commitDelays.length === 2);
    commitDelays[0]?.();
    await until(() => committed.length > 0);
    expect(committed).toEqual([2]);
    await bus.stop();
  } finally {
    await monitor.close();
  }
});

test('a batch takes the events at the front of their keys; one waits behind an event of another topic', async () => {
  const bus = await startBus();
  const received = createCollector();
  const batches: string[][] = [];
  await bus.publish([
    createEvent('1', 'a'),
    createEvent('2', 'b'),
    createEvent('3', 'a'),
    createEvent('4', 'b', 'things.sold.v1'),
    createEvent('5', 'b'),
  ]);
  await bus.subscribe({
    group: 'g',
    topics: ['things.made.v1', 'things.sold.v1'],
    onEvent: async (record) => received.add(record),
    batchHandlers: new Map([
      ['things.made.v1', async (events) => void batches.push(events.map(({ id }) => id))],
    ]),
  });
  // The order of a key holds: 5 waits for 4, which has no batch handler.
  expect((await received.waitFor(2)).map(({ id }) => id)).toEqual(['4', '5']);
  expect(batches).toEqual([['1', '2'], ['3']]);
});

test('reading costs a query only for the topics that have new events', async () => {
  const monitor = await openMonitored();
  try {
    const log = await createEventLog({ connection: monitor, now: () => new Date() });
    await log.append([createEvent('1', 'a', 'a.v1'), createEvent('2', 'b', 'b.v1')]);
    const finds: unknown[] = [];
    monitor.getClient().on('commandStarted', ({ command }) => {
      if (command.find) finds.push(command.filter.topic);
    });
    const read = await log.read(
      new Map([
        ['a.v1', 2],
        ['b.v1', 0],
        ['c.v1', 1],
      ]),
      10,
    );
    expect(read.map(({ event }) => event.id)).toEqual(['2']);
    expect(finds).toEqual(['b.v1']);
  } finally {
    await monitor.close();
  }
});

test('the newest events are read without a query, and those before them with one', async () => {
  const monitor = await openMonitored();
  try {
    const log = await createEventLog({ connection: monitor, now: () => new Date() });
    await log.append([createEvent('1', 'k', 'a.v1')]);
    await log.append([createEvent('2', 'k', 'b.v1')]);
    // The first one is stored already, and uses up the offset 3.
    await log.append([createEvent('2', 'k', 'b.v1'), createEvent('4', 'k', 'a.v1')]);
    const finds: unknown[] = [];
    monitor.getClient().on('commandStarted', ({ command }) => {
      if (command.find) finds.push(command.filter.topic);
    });
    const readFrom = async (from: number, topics: readonly string[]) => {
      const read = await log.read(new Map(topics.map((topic) => [topic, from])), 10);
      return read.map(({ offset, event }) => [offset, event.id, Buffer.from(event.payload).toString()]);
    };
    const payload = Buffer.from(createEvent('1').payload).toString();
    const stored = [
      [1, '1', payload],
      [2, '2', payload],
      [4, '4', payload],
    ];
    for (const [from, topics] of [
      [3, ['a.v1', 'b.v1']],
      [2, ['a.v1']],
    ] as const)
      expect(await readFrom(from, topics)).toEqual(stored.slice(2));
    expect(await readFrom(2, ['a.v1', 'b.v1'])).toEqual(stored.slice(1));
    expect(await readFrom(1, ['a.v1', 'b.v1'])).toEqual(stored);
    expect(finds).toEqual([]);
    // More than are kept, and one that is too large.
    await log.append(Array.from({ length: 100 }, (_, index) => createEvent(`more ${index}`, 'k', 'a.v1')));
    await log.append([Object.assign(createEvent('large', 'k', 'b.v1'), { payload: Buffer.alloc(200_000) })]);
    const first = [stored[0], stored[2], [5, 'more 0', payload]];
    expect((await readFrom(1, ['a.v1'])).slice(0, 3)).toEqual(first);
    expect(finds.splice(0)).toEqual(['a.v1']);
    expect(await readFrom(5, ['a.v1'])).toHaveLength(10);
    expect(finds).toEqual([]);
    expect(await readFrom(105, ['b.v1'])).toEqual([[105, 'large', expect.any(String)]]);
    expect(finds).toEqual(['b.v1']);
  } finally {
    await monitor.close();
  }
});

test('events of an append that failed after it stored them are read, too', async () => {
  const log = await createEventLog({ connection, now: () => new Date() });
  await log.append([createEvent('1', 'k', 'a.v1')]);
  const { insertMany } = mongoose.mongo.Collection.prototype;
  const spy = jest
    .spyOn(mongoose.mongo.Collection.prototype, 'insertMany')
    .mockImplementationOnce(async function (this: unknown, ...args: unknown[]) {
      await insertMany.apply(this as never, args as never);
      throw new Error('the answer was lost');
    } as never);
  await expect(log.append([createEvent('2', 'k', 'a.v1')])).rejects.toThrow('the answer was lost');
  spy.mockRestore();
  await log.append([createEvent('3', 'k', 'b.v1')]);
  const read = await log.read(new Map(['a.v1', 'b.v1'].map((topic) => [topic, 1])), 10);
  expect(read.map(({ offset, event }) => [offset, event.id])).toEqual([
    [1, '1'],
    [2, '2'],
    [3, '3'],
  ]);
});

test('a group that waits gets the events of an append that failed halfway, and those after it', async () => {
  const bus = await startBus();
  const received = createCollector();
  await bus.subscribe({ group: 'g', topics: ['a.v1'], onEvent: async (record) => received.add(record) });
  await bus.publish([createEvent('1', 'k', 'a.v1')]);
  await received.waitFor(1);
  const { insertMany } = mongoose.mongo.Collection.prototype;
  const spy = jest
    .spyOn(mongoose.mongo.Collection.prototype, 'insertMany')
    .mockImplementationOnce(async function (this: unknown, events: unknown[], ...rest: unknown[]) {
      await insertMany.call(this as never, events.slice(0, 1) as never, ...(rest as []));
      throw new Error('the answer was lost');
    } as never);
  const lost = [createEvent('2', 'k', 'a.v1'), createEvent('3', 'k', 'a.v1')];
  await expect(bus.publish(lost)).rejects.toThrow('the answer was lost');
  spy.mockRestore();
  // The relay publishes them again.
  await bus.publish(lost);
  await bus.publish([createEvent('4', 'k', 'a.v1')]);
  expect((await received.waitFor(4)).map(({ id }) => id)).toEqual(['1', '2', '3', '4']);
});

test('an event costs one write; what was handled is committed later together, and at the stop', async () => {
  const monitor = await openMonitored();
  const topics = ['a.v1', 'b.v1'];
  try {
    const writes: string[] = [];
    const { sleep, commitDelays } = holdCommits();
    const bus = await createEmbeddedBus({ connection: monitor, sleep });
    buses.push(bus);
    const received = createCollector();
    await bus.subscribe({ group: 'g', topics, onEvent: async (record) => received.add(record) });
    monitor.getClient().on('commandStarted', ({ commandName, command }) => {
      if (commandName !== 'find') writes.push(`${commandName} ${command[commandName]}`);
    });
    for (let n = 1; n <= 10; n++) {
      await bus.publish([createEvent(`${n}`, 'k', topics[n % 2])]);
      await received.waitFor(n);
    }
    expect(writes).toEqual(Array(10).fill('insert bus_events'));
    commitDelays[0]?.();
    await until(async () => writes[10] === 'update bus_offsets');
    await bus.stop();
    expect(writes.length).toBeLessThan(14);
  } finally {
    await monitor.close();
  }
  const again = await startBus();
  const later = createCollector();
  await again.subscribe({ group: 'g', topics, onEvent: async (record) => later.add(record) });
  await again.publish([createEvent('last', 'k', 'a.v1')]);
  expect((await later.waitFor(1)).map(({ id }) => id)).toEqual(['last']);
});

test('what was handled and not committed at a crash is delivered again in order', async () => {
  const topics = ['things.made.v1'];
  const crashed = await startBus(createMetrics(), sleepUntilStop);
  const [before, after] = [createCollector(), createCollector()];
  await crashed.subscribe({ group: 'g', topics, onEvent: async (record) => before.add(record) });
  await crashed.publish([createEvent('1'), createEvent('2')]);
  await before.waitFor(2);
  const restarted = await startBus();
  await restarted.subscribe({ group: 'g', topics, onEvent: async (record) => after.add(record) });
  await restarted.publish([createEvent('3')]);
  expect((await after.waitFor(3)).map(({ id }) => id)).toEqual(['1', '2', '3']);
});

test.each<[string, (bus: { admin: EventAdmin }, metrics: Metrics) => Promise<number | undefined>]>([
  ['lag of the command', async ({ admin }) => (await admin.readLag())[0]?.lag],
  [
    'metric of the lag',
    async (_, { registry }) => Number(/lag_events{group="g".*} (\d+)/.exec(await registry.metrics())?.[1]),
  ],
])('the %s does not count what is handled and not committed yet', async (_, readLag) => {
  const metrics = createMetrics();
  const bus = await startBus(metrics, sleepUntilStop);
  const started = createCollector();
  let release = () => {};
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  await bus.subscribe({
    group: 'g',
    topics: ['things.made.v1'],
    onEvent: async (record) => {
      started.add(record);
      if (record.id === '2') await blocked;
    },
  });
  await bus.publish([createEvent('1')]);
  await started.waitFor(1);
  await bus.publish([createEvent('2')]);
  await started.waitFor(2);
  expect(await readLag(bus, metrics)).toBe(1);
  release();
});

test('a replayed dead letter is delivered to its group only, in its place at the end, and leaves the list', async () => {
  const bus = await startBus();
  const [received, other] = [createCollector(), createCollector()];
  let isBroken = true;
  const topics = ['things.made.v1'];
  await bus.subscribe({ group: 'other', topics, onEvent: async (record) => other.add(record) });
  await bus.subscribe({
    group: 'g',
    topics,
    onEvent: async (record) => {
      if (isBroken && record.id !== 'good') throw new Error('cannot read it\nat line 2');
      received.add(record);
    },
  });
  const bad = { ...createEvent('bad'), requestId: 'r', traceparent: 'of its trace' };
  await bus.publish([bad, createEvent('worse'), createEvent('good')]);
  await received.waitFor(1);
  const list = async () => (await bus.admin.listDeadLetters({ group: 'g', limit: 1, after: null })).rows;
  expect(await bus.admin.listDeadLetters({ group: null, limit: 1, after: null })).toMatchObject({
    rows: [{ group: 'g', id: 'bad', key: 'k', error: 'Error: cannot read it', attempts: 3 }],
    total: 2,
  });
  expect(await bus.admin.replayDeadLetters({ group: 'other', ids: null })).toBe(0);
  isBroken = false;
  expect(await bus.admin.replayDeadLetters({ group: null, ids: ['bad'] })).toBe(1);
  expect((await received.waitFor(2))[1]).toEqual(bad);
  expect((await list()).map(({ id }) => id)).toEqual(['worse']);
  expect(await bus.admin.replayDeadLetters({ group: 'g', ids: null })).toBe(1);
  await received.waitFor(3);
  await bus.publish([createEvent('last')]);
  expect((await other.waitFor(4)).map(({ id }) => id)).toEqual(['bad', 'worse', 'good', 'last']);
});

test('a dead letter that fails again is replayed once, and stays in the list', async () => {
  const bus = await startBus();
  const done = createCollector();
  await bus.subscribe({
    group: 'g',
    topics: ['things.made.v1'],
    onEvent: async (record) => {
      if (record.id === 'bad') throw new Error('still broken');
      done.add(record);
    },
  });
  await bus.publish([createEvent('bad'), createEvent('1')]);
  await done.waitFor(1);
  expect(await bus.admin.replayDeadLetters({ group: null, ids: null })).toBe(1);
  await bus.publish([createEvent('2')]);
  await done.waitFor(2);
  expect(
    (await bus.admin.listDeadLetters({ group: null, limit: 10, after: null })).rows.map(({ id }) => id),
  ).toEqual(['bad']);
});

test('the lag counts the events that a group has not handled', async () => {
  const bus = await startBus();
  const received = createCollector();
  await bus.publish([createEvent('1')]);
  const topics = ['things.made.v1'];
  await bus.subscribe({ group: 'g', topics, onEvent: async (record) => received.add(record) });
  await received.waitFor(1);
  await bus.stop();
  const log = await createEventLog({ connection, now: () => new Date() });
  await log.append([createEvent('2'), createEvent('3', 'k', 'other.v1')]);
  expect(await log.readLag()).toEqual([{ group: 'g', topic: 'things.made.v1', lag: 1 }]);
});

test('the list of dead letters goes on where a page ended, also among those that failed at the same time', async () => {
  let time = new Date('2026-01-01');
  const log = await createEventLog({ connection, now: () => time });
  const fail = (group: string, id: string) =>
    log.addDeadLetter(group, { event: createEvent(id), error: new Error('broken'), attempts: 3 });
  for (const id of ['3', '1', '2']) await fail('g', id);
  time = new Date('2026-01-02');
  for (const id of ['5', '4']) await fail('f', id);
  const admin = createEmbeddedEventAdmin(log, []);
  const pages: string[][] = [];
  for (let after: string | null = null, isLast = false; !isLast; isLast = after === null) {
    const { rows, total, next } = await admin.listDeadLetters({ group: null, limit: 2, after });
    expect(total).toBe(5);
    pages.push(rows.map(({ id }) => id));
    after = next;
  }
  expect(pages).toEqual([['1', '2'], ['3', '4'], ['5']]);
});

test('a discarded dead letter leaves the list and is not delivered again', async () => {
  const bus = await startBus();
  let attempts = 0;
  await bus.subscribe({
    group: 'g',
    topics: ['things.made.v1'],
    onEvent: async () => {
      attempts += 1;
      throw new Error('cannot read it');
    },
  });
  await bus.publish([createEvent('bad', 'a'), createEvent('worse', 'b')]);
  const listed = async () =>
    (await bus.admin.listDeadLetters({ group: null, limit: 10, after: null })).rows
      .map(({ id }) => id)
      .sort();
  await until(async () => (await listed()).length === 2);
  expect(await bus.admin.discardDeadLetters({ group: 'other', ids: ['bad'] })).toBe(0);
  expect(await bus.admin.discardDeadLetters({ group: null, ids: ['bad', 'unknown'] })).toBe(1);
  expect(await listed()).toEqual(['worse']);
  expect(attempts).toBe(6);
});

test('metrics show the lag of a group whose handler hangs, from its first event on, and its dead letters', async () => {
  const metrics = createMetrics();
  const bus = await startBus(metrics);
  let hang = () => {};
  const hanging = new Promise<void>((resolve) => {
    hang = resolve;
  });
  const topics = ['things.made.v1', 'things.gone.v1'];
  const received = createCollector();
  await bus.subscribe({ group: 'slow', topics, onEvent: () => hanging });
  await bus.subscribe({
    group: 'g',
    topics,
    onEvent: async (record) => {
      received.add(record);
      if (record.id === 'bad') throw new Error('cannot read it');
    },
  });
  await bus.publish([createEvent('1'), createEvent('bad')]);
  await received.waitFor(4);
  let text = '';
  await until(async () => {
    // A reading is used for five seconds: another registry reads at once.
    const again = createMetrics();
    const watching = await createEmbeddedBus({ connection, retry, metrics: again });
    await watching.subscribe({ group: 'slow', topics, onEvent: () => hanging });
    await watching.subscribe({ group: 'g', topics: ['none.v1'], onEvent: async () => {} });
    text = await again.registry.metrics();
    buses.push(watching);
    return text.includes('shelfwise_dead_letters_waiting{group="g"} 1');
  });
  expect(text).toContain('shelfwise_event_consumer_lag_events{group="slow",topic="things.made.v1"} 2');
  expect(text).toContain('shelfwise_event_consumer_lag_events{group="slow",topic="things.gone.v1"} 0');
  expect(text).toContain('shelfwise_dead_letters_waiting{group="slow"} 0');
  const own = await metrics.registry.metrics();
  expect(own).toContain('shelfwise_events_dead_lettered_total{group="g",topic="things.made.v1"} 1');
  expect(own).toContain('shelfwise_event_delivery_seconds_count{group="g",topic="things.made.v1"} 1');
  hang();
});
