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
  const handle = async (events: readonly EventRecord[]) => shared.get(topic)?.(events);
  return { handle, calls };
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

test('a call that fails fails for each delivery with an event in it, once its other calls have ended, and for no other', async () => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const { handle } = create(async (events) => {
    if (events.some(({ id }) => id === '1 0')) throw new Error('refused');
    await ended;
  });
  const outcomes: string[] = [];
  const note = (name: string, handled: Promise<unknown>) =>
    handled.then(
      () => outcomes.push(`${name}: done`),
      (error: Error) => outcomes.push(`${name}: ${error.message}`),
    );
  // The second delivery has events in both calls, the third only in the last one.
  const all = [150, 100, 10].map((count, index) => note(`${index + 1}`, handle(eventsOf(index + 1, count))));
  await all[0];
  expect(outcomes).toEqual(['1: refused']);
  end();
  await Promise.all(all);
  expect(outcomes.sort()).toEqual(['1: refused', '2: refused', '3: done']);
});
