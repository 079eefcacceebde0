import { createEvent } from '../../../testing/event-collector.ts';
import type { EventRecord } from './event-bus.ts';
import { shareBatchHandlers } from './share-batch-handlers.ts';

const topic = 'things.made.v1';
const eventsOf = (partition: number, count: number) =>
  Array.from({ length: count }, (_, n) => createEvent(`${partition} ${n}`, `key ${partition} ${n}`));

/** A shared handler, and the ids of each of its calls. */
function create(onCall: (events: readonly EventRecord[]) => Promise<void> = async () => {}) {
  const calls: string[][] = [];
  const shared = shareBatchHandlers(
    new Map([
      [
        topic,
        async (events) => {
          calls.push(events.map(({ id }) => id));
          await onCall(events);
        },
      ],
    ]),
  );
  const stopping = new AbortController();
  const handle = async (events: readonly EventRecord[]) => shared.get(topic)?.(events, stopping.signal);
  return { handle, calls, stopping };
}

test('what deliveries pass on at the same time is handled in one call', async () => {
  const { handle, calls } = create();
  await Promise.all([1, 2, 3].map((partition) => handle(eventsOf(partition, 4))));
  expect(calls.map(({ length }) => length)).toEqual([12]);
});

test('a call has at most 200 events, and each of them is in one call', async () => {
  const { handle, calls } = create();
  await Promise.all([1, 2, 3].map((partition) => handle(eventsOf(partition, 150))));
  expect(calls.map(({ length }) => length)).toEqual([200, 200, 50]);
  expect(new Set(calls.flat()).size).toBe(450);
});

test('events of one key are never in one call, and stay in their order', async () => {
  const { handle, calls } = create();
  const [first, second, third] = ['1', '2', '3'].map((id) => createEvent(id, 'same'));
  const other = createEvent('4', 'other');
  await Promise.all([[first, other], [second], [third]].map((events) => handle(events as EventRecord[])));
  expect(calls).toEqual([['1', '4'], ['2'], ['3']]);
});

test('when a call fails, each delivery repeats its own events, so that only the one with the bad event fails', async () => {
  const { handle, calls } = create(async (events) => {
    if (events.some(({ id }) => id === '1 0')) throw new Error('refused');
  });
  const all = [3, 2, 1].map((count, index) => handle(eventsOf(index + 1, count)));
  const outcomes = await Promise.allSettled(all);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(calls.map(({ length }) => length)).toEqual([6, 3, 2, 1]);
});

test('the events of a failed call are repeated once all calls with others of their delivery have ended', async () => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const { handle, calls } = create(async (events) => {
    if (calls.length === 1) throw new Error('refused');
    if (calls.length === 2) await ended;
    expect(events.length).toBeGreaterThan(0);
  });
  // The second delivery has events in both calls.
  const all = [150, 100].map((count, index) => handle(eventsOf(index + 1, count)));
  await all[0];
  expect(calls.map(({ length }) => length)).toEqual([200, 50, 150]);
  end();
  await all[1];
  expect(calls.map(({ length }) => length)).toEqual([200, 50, 150, 100]);
});

test('what waits when its signal fires is not handled, and its delivery fails', async () => {
  const { handle, calls, stopping } = create(async () => stopping.abort(new Error('stopping')));
  const all = [1, 2, 3, 4].map((partition) => handle(eventsOf(partition, 200)));
  const outcomes = await Promise.allSettled(all);
  expect(calls.map(({ length }) => length)).toEqual([200]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
});
