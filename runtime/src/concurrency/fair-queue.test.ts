import fc from 'fast-check';
import { createFairQueue } from './fair-queue.ts';
import { createWaitingCallers, oneCaller } from './waiting-callers.ts';

type Item = { name: string; group: string };

function start() {
  const queue = createFairQueue<Item>(({ group }) => group);
  const add = (callerId: string, name: string, group = 'g') => {
    const item = { name, group };
    queue.add(item, oneCaller(callerId));
    return item;
  };
  /** Serves the item whose turn comes first, over all groups. */
  const serveNext = (): string | undefined => {
    const firsts = queue.groups().flatMap((items) => [...items].slice(0, 1));
    const [next] = firsts.sort((a, b) => queue.turnOf(a) - queue.turnOf(b));
    if (next) queue.serve(next);
    return next?.name;
  };
  const serveAll = () => Array.from({ length: queue.length() }, serveNext);
  return { queue, add, serveNext, serveAll };
}

test('the first caller is served before all others, also with an item of several callers', () => {
  const queue = createFairQueue<string>(() => '', 'first');
  const { callers, join } = createWaitingCallers();
  join('many');
  for (const item of ['many 1', 'many 2']) queue.add(item, oneCaller('many'));
  queue.add('shared', callers);
  queue.add('first 1', oneCaller('first'));
  queue.add('first 2', oneCaller('first'));
  join('first');
  const served: (string | undefined)[] = [];
  while (queue.length() > 0) {
    const [next] = [...(queue.groups()[0] ?? [])];
    expect(queue.findFirst(() => true)?.item).toBe(next);
    served.push(next);
    if (next !== undefined) queue.serve(next);
  }
  expect(served).toEqual(['first 1', 'first 2', 'shared', 'many 1', 'many 2']);
});

test('an item of several callers is served in the first of their turns, and only once', () => {
  const { queue, add, serveAll } = start();
  const { callers, join } = createWaitingCallers();
  join('many');
  for (let i = 1; i <= 3; i++) add('many', `many ${i}`);
  queue.add({ name: 'shared', group: 'g' }, callers);
  add('other', 'other 1');
  join('joiner');
  expect(queue.length()).toBe(5);
  expect(serveAll()).toEqual(['many 1', 'other 1', 'shared', 'many 2', 'many 3']);
});

test('an item whose first caller leaves keeps its position in the line of the one that remains', () => {
  const { queue, add, serveAll } = start();
  const { callers, join, leave } = createWaitingCallers();
  join('leaving');
  queue.add({ name: 'shared', group: 'g' }, callers);
  add('other', 'other 1');
  join('joiner');
  add('joiner', 'joiner 1');
  leave('leaving');
  expect([queue.lengthOf('leaving'), queue.lengthOf('joiner')]).toEqual([0, 2]);
  expect(serveAll()).toEqual(['other 1', 'shared', 'joiner 1']);
});

test('a caller that leaves an item and comes back waits for it again', () => {
  const { queue } = start();
  const { callers, join, leave } = createWaitingCallers();
  join('staying');
  join('other');
  const item = { name: 'item', group: 'g' };
  queue.add(item, callers);
  leave('other');
  expect(queue.findFirst((callerId) => callerId === 'other')).toBeNull();
  join('other');
  expect(queue.findFirst((callerId) => callerId === 'other')).toEqual({ item, callerId: 'other' });
});

test('an item waits on when its last caller is reported as gone; the code that queued it removes it', () => {
  const { queue } = start();
  const { callers, join, leave } = createWaitingCallers();
  join('only');
  const item = { name: 'item', group: 'g' };
  queue.add(item, callers);
  leave('only');
  expect(queue.length()).toBe(1);
  expect(queue.findFirst(() => true)).toEqual({ item, callerId: 'only' });
  expect([queue.remove(item), queue.remove(item), queue.length()]).toEqual([true, false, 0]);
});

test('the first item of a caller that may be served is found, and its turn ends', () => {
  const { queue, add } = start();
  add('busy', 'busy 1');
  add('free', 'free 1');
  const found = queue.findFirst((callerId) => callerId !== 'busy');
  expect(found).toMatchObject({ item: { name: 'free 1' }, callerId: 'free' });
  expect(queue.findFirst(() => false)).toBeNull();
});

const callerIds = ['a', 'b', 'c', 'd'] as const;
const events = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ add: fc.constantFrom(...callerIds), group: fc.constantFrom('g', 'h') }),
    },
    { weight: 3, arbitrary: fc.constant('serve' as const) },
    { weight: 1, arbitrary: fc.record({ removeAt: fc.nat(30) }) },
  ),
  { maxLength: 80, size: 'max' },
);

test('in any order of events no caller waits more than one round, each caller is first in first out, and nothing is lost', () => {
  fc.assert(
    fc.property(events, (all) => {
      const { queue, add, serveNext } = start();
      const waiting: Item[] = [];
      /** By waiting caller: how often each other caller was served since it began to wait for a turn. */
      const servedSince = new Map<string, Map<string, number>>();
      const callerOf = ({ name }: Item) => name.split(' ')[0] as string;
      const isWaiting = (callerId: string) => waiting.some((item) => callerOf(item) === callerId);
      const takeOut = (item: Item) => {
        waiting.splice(waiting.indexOf(item), 1);
        if (!isWaiting(callerOf(item))) servedSince.delete(callerOf(item));
      };
      const serve = () => {
        const name = serveNext();
        const item = waiting.find((one) => one.name === name);
        if (!item) return expect(waiting).toEqual([]);
        const caller = callerOf(item);
        const firstInGroup = waiting.find((one) => callerOf(one) === caller && one.group === item.group);
        expect(item).toBe(firstInGroup);
        takeOut(item);
        if (servedSince.has(caller)) servedSince.set(caller, new Map());
        for (const [waiter, counts] of servedSince) {
          if (waiter === caller) continue;
          counts.set(caller, (counts.get(caller) ?? 0) + 1);
          expect(counts.get(caller)).toBeLessThanOrEqual(1);
        }
      };
      for (const [i, event] of all.entries()) {
        if (event === 'serve') serve();
        else if ('add' in event) {
          if (!servedSince.has(event.add)) servedSince.set(event.add, new Map());
          waiting.push(add(event.add, `${event.add} ${i}`, event.group));
        } else {
          const item = waiting[event.removeAt];
          if (item) {
            expect(queue.remove(item)).toBe(true);
            takeOut(item);
          }
        }
        expect(queue.length()).toBe(waiting.length);
      }
      while (waiting.length > 0) serve();
      expect(callerIds.map(queue.lengthOf)).toEqual([0, 0, 0, 0]);
      expect(queue.groups()).toEqual([]);
    }),
  );
});
