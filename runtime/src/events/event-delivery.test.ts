import { MongoNetworkError, MongoServerError } from 'mongodb';
import { createEvent } from '../../../testing/event-collector.ts';
import { createMetrics } from '../metrics/metrics.ts';
import type { EventRecord, EventSubscription } from './event-bus.ts';
import { createEventDelivery, type FailedEvent } from './event-delivery.ts';
import { observeDelivery } from './observe-delivery.ts';

const now = new Date('2026-11-21T12:00:00Z');
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

function create(handlers: Pick<EventSubscription, 'onEvent' | 'batchHandlers'>) {
  const deadLetters: FailedEvent[] = [];
  const stopping = new AbortController();
  const metrics = createMetrics();
  const deps = { addDeadLetter: async (_: string, failed: FailedEvent) => void deadLetters.push(failed) };
  const { deliver } = createEventDelivery({
    subscription: { group: 'g', topics: ['things.made.v1'], ...handlers },
    retry: { retries: 2, firstMs: 1, longestMs: 1 },
    logger: { warn: () => {}, error: () => {} },
    addDeadLetter: (group, failed) => deps.addDeadLetter(group, failed),
    observer: observeDelivery(metrics, { group: 'g', topics: ['things.made.v1'] }, () => now),
  });
  const deliverIds = async (events: readonly EventRecord[]) =>
    [...(await deliver(events, stopping.signal))].map(({ id }) => id);
  return { deliver: deliverIds, deadLetters, deps, stopping, metrics };
}

test('at most eight keys are handled at the same time, and each key in order', async () => {
  let running = 0;
  let most = 0;
  const handled: EventRecord[] = [];
  const { deliver } = create({
    onEvent: async (event) => {
      most = Math.max(most, ++running);
      await nextTurn();
      handled.push(event);
      running--;
    },
  });
  const sent = Array.from({ length: 100 }, (_, n) => createEvent(String(n), `key ${n % 20}`));
  expect(await deliver(sent)).toEqual([]);
  expect(most).toBe(8);
  for (let key = 0; key < 20; key++) {
    const ofKey = (events: EventRecord[]) => events.filter((event) => event.key === `key ${key}`);
    expect(ofKey(handled)).toEqual(ofKey(sent));
  }
});

test('an event waits while the database is unavailable, however long that takes', async () => {
  let failures = 20;
  const handled: string[] = [];
  const { deliver, deadLetters } = create({
    onEvent: async ({ id }) => {
      if (failures-- > 10) throw new MongoNetworkError('gone');
      if (failures > 0)
        throw new Error('the database does not answer', { cause: new MongoNetworkError('gone') });
      handled.push(id);
    },
  });
  await deliver([createEvent('1'), createEvent('2')]);
  expect([handled, deadLetters]).toEqual([['1', '2'], []]);
});

test('events of a batch wait together while the database is unavailable', async () => {
  let failures = 20;
  const together: number[] = [];
  const { deliver } = create({
    onEvent: () => Promise.reject(new Error('one by one')),
    batchHandlers: new Map([
      [
        'things.made.v1',
        async (events) => {
          if (failures-- > 0) throw new MongoNetworkError('gone');
          together.push(events.length);
        },
      ],
    ]),
  });
  expect(await deliver([createEvent('1', 'a'), createEvent('2', 'b')])).toEqual([]);
  expect(together).toEqual([2]);
});

test('a batch that fails when the signal has fired is not repeated', async () => {
  let calls = 0;
  const { deliver, stopping } = create({
    onEvent: () => Promise.reject(new Error('one by one')),
    batchHandlers: new Map([
      [
        'things.made.v1',
        async () => {
          calls++;
          stopping.abort();
          throw new MongoNetworkError('gone');
        },
      ],
    ]),
  });
  expect(await deliver([createEvent('1', 'a'), createEvent('2', 'b')])).toEqual(['1', '2']);
  expect(calls).toBe(1);
});

test('an event that the database refuses becomes a dead letter', async () => {
  const { deliver, deadLetters } = create({
    onEvent: async () => {
      throw new MongoServerError({ message: 'too large', code: 10334 });
    },
  });
  await deliver([createEvent('1')]);
  expect(deadLetters).toMatchObject([{ event: { id: '1' }, attempts: 3 }]);
});

test('a dead letter is stored before the next event of its key is handled', async () => {
  const order: string[] = [];
  const { deliver, deps } = create({
    onEvent: async ({ id }) => {
      if (id === 'bad') throw new Error('cannot read it');
      order.push(id);
    },
  });
  let failures = 2;
  deps.addDeadLetter = async (_, { event }) => {
    if (failures-- > 0) throw new Error('the broker is away');
    order.push(`dead letter ${event.id}`);
  };
  expect(await deliver([createEvent('bad'), createEvent('good')])).toEqual([]);
  expect(order).toEqual(['dead letter bad', 'good']);
});

test('after the signal no handler starts, and what was not handled is returned', async () => {
  const { deliver, stopping } = create({
    onEvent: async ({ id }) => {
      if (id === '2') stopping.abort();
      if (id === '2') throw new Error('not yet');
    },
  });
  expect(await deliver([createEvent('1'), createEvent('2'), createEvent('3')])).toEqual(['2', '3']);
});

test('an event that fails in a batch is handled alone, and only that one becomes a dead letter', async () => {
  const handled: string[] = [];
  const { deliver, deadLetters } = create({
    onEvent: async ({ id }) => {
      if (id === 'bad') throw new Error('cannot read it');
      handled.push(id);
    },
    batchHandlers: new Map([['things.made.v1', () => Promise.reject(new Error('cannot read one of them'))]]),
  });
  expect(
    await deliver([
      createEvent('1', 'a'),
      createEvent('bad', 'b'),
      createEvent('3', 'c'),
      createEvent('4', 'b'),
    ]),
  ).toEqual([]);
  expect(handled.sort()).toEqual(['1', '3', '4']);
  expect(deadLetters.map(({ event }) => event.id)).toEqual(['bad']);
});

test('the way of each applied event is measured, and dead letters are counted from zero', async () => {
  const { deliver, metrics, deps } = create({
    onEvent: async ({ id }) => {
      if (id === 'bad') throw new Error('cannot be applied');
    },
  });
  const text = (name: string) => metrics.registry.getSingleMetricAsString(name);
  const topic = 'group="g",topic="things.made.v1"';
  expect(await text('shelfwise_events_dead_lettered_total')).toContain(`{${topic}} 0`);
  deps.addDeadLetter = async () => {};
  await deliver([
    { ...createEvent('1', 'a'), at: new Date(now.getTime() - 3000) },
    { ...createEvent('bad', 'b'), at: now },
    // By a clock that is ahead.
    { ...createEvent('3', 'c'), at: new Date(now.getTime() + 3000) },
  ]);
  expect(await text('shelfwise_events_dead_lettered_total')).toContain(`{${topic}} 1`);
  expect(await text('shelfwise_event_delivery_seconds')).toContain(`_count{${topic}} 2`);
  expect(await text('shelfwise_event_delivery_seconds')).toContain(`_sum{${topic}} 3`);
});
