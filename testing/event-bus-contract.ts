import type { EventBus, EventRecord } from '@shelfwise/runtime/events/event-bus';
import { createCollector, createEvent } from './event-collector.ts';

/**
 * What every event bus promises; the tests of each engine run it.
 * @param startBus starts a bus on the engine, whose topics and groups no other test uses. Buses of one test share them.
 *   Each event is retried twice, after a short time.
 */
export function describeEventBus(startBus: () => Promise<EventBus>): void {
  const topic = 'things.made.v1';

  async function collect(bus: EventBus, group: string, topics = [topic]) {
    const received = createCollector();
    await bus.subscribe({ group, topics, onEvent: async (record) => received.add(record) });
    return received;
  }

  test('an event arrives as it was published', async () => {
    const bus = await startBus();
    const received = await collect(bus, 'g');
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const sent = { ...createEvent('1', 'a key ü'), requestId: 'r1', traceparent };
    await bus.publish([sent]);
    expect(await received.waitFor(1)).toEqual([sent]);
  });

  test('events of a topic with one key arrive in publishing order', async () => {
    const bus = await startBus();
    const topics = ['a.v1', 'b.v1'];
    const received = await collect(bus, 'g', topics);
    const sent = Array.from({ length: 300 }, (_, n) => createEvent(`${n}`, `key${n % 7}`, topics[n % 2]));
    for (let start = 0; start < sent.length; start += 30) await bus.publish(sent.slice(start, start + 30));
    const byTopicAndKey = new Map<string, number[]>();
    for (const { id, key, topic: name } of await received.waitFor(300))
      byTopicAndKey.set(`${name} ${key}`, [...(byTopicAndKey.get(`${name} ${key}`) ?? []), Number(id)]);
    expect(byTopicAndKey.size).toBe(14);
    for (const ids of byTopicAndKey.values())
      expect(ids).toEqual([...ids].sort((left, right) => left - right));
  });

  test('every group receives every event; a new group starts at the beginning', async () => {
    const bus = await startBus();
    const early = await collect(bus, 'early');
    await bus.publish([createEvent('1'), createEvent('2')]);
    await early.waitFor(2);
    const late = await collect(bus, 'late');
    await bus.publish([createEvent('3')]);
    expect((await early.waitFor(3)).map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect((await late.waitFor(3)).map(({ id }) => id)).toEqual(['1', '2', '3']);
  });

  test('an event that fails is retried, then becomes a dead letter, and the next event of its key is delivered', async () => {
    const bus = await startBus();
    const received = createCollector();
    let attempts = 0;
    await bus.subscribe({
      group: 'g',
      topics: [topic],
      onEvent: async (record) => {
        if (record.id !== 'bad') return received.add(record);
        attempts += 1;
        throw new Error('cannot read it');
      },
    });
    await bus.publish([createEvent('bad'), createEvent('good')]);
    expect((await received.waitFor(1)).map(({ id }) => id)).toEqual(['good']);
    expect(attempts).toBe(3);
  });

  test('an event that fails once is delivered again', async () => {
    const bus = await startBus();
    const received = createCollector();
    let failuresLeft = 1;
    await bus.subscribe({
      group: 'g',
      topics: [topic],
      onEvent: async (record) => {
        if (failuresLeft-- > 0) throw new Error('not yet');
        received.add(record);
      },
    });
    await bus.publish([createEvent('1')]);
    await received.waitFor(1);
  });

  test('events that were unhandled when the bus stopped are delivered in order after a restart', async () => {
    const first = await startBus();
    const started = createCollector();
    let release = () => {};
    const blocked = new Promise<void>((resolve) => {
      release = resolve;
    });
    await first.subscribe({
      group: 'g',
      topics: [topic],
      onEvent: async (record) => {
        started.add(record);
        if (record.id === '2') await blocked;
      },
    });
    await first.publish([createEvent('1'), createEvent('2'), createEvent('3')]);
    await started.waitFor(2);
    const stopped = first.stop();
    release();
    await stopped;
    expect(started.records.map(({ id }) => id)).toEqual(['1', '2']);

    const second = await startBus();
    const received = await collect(second, 'g');
    await second.publish([createEvent('4')]);
    expect((await received.waitFor(2)).map(({ id }) => id)).toEqual(['3', '4']);
  });

  test('an event that is published twice with the same id is applied once', async () => {
    const bus = await startBus();
    await bus.publish([createEvent('1'), createEvent('1')]);
    await bus.publish([createEvent('1'), createEvent('2')]);
    const received = await collect(bus, 'g');
    await received.waitFor(2);
    await bus.publish([createEvent('1'), createEvent('3')]);
    expect((await received.waitFor(3)).map(({ id }) => id)).toEqual(['1', '2', '3']);
  });

  test('a second consumer of the same group on the same topic of a bus is refused', async () => {
    const bus = await startBus();
    const subscription = { group: 'g', topics: [topic], onEvent: async () => {} };
    await bus.subscribe(subscription);
    await expect(bus.subscribe(subscription)).rejects.toThrow('the group g already consumes');
  });

  test('events that wait together are passed to the batch handler of their topic, one of each key at a time', async () => {
    const bus = await startBus();
    const keys = ['a', 'b', 'c'];
    const sent: EventRecord[] = Array.from({ length: 30 }, (_, n) => createEvent(`${n}`, keys[n % 3]));
    await bus.publish(sent);
    const received = createCollector();
    const batches: EventRecord[][] = [];
    await bus.subscribe({
      group: 'g',
      topics: [topic],
      onEvent: async (record) => received.add(record),
      batchHandlers: new Map([
        [
          topic,
          async (events) => {
            batches.push([...events]);
            for (const event of events) received.add(event);
          },
        ],
      ]),
    });
    expect(await received.waitFor(30)).toHaveLength(30);
    for (const batch of batches) expect(new Set(batch.map(({ key }) => key)).size).toBe(batch.length);
    for (const key of keys)
      expect(batches.flat().filter((event) => event.key === key)).toEqual(
        sent.filter((event) => event.key === key),
      );
  });
}
