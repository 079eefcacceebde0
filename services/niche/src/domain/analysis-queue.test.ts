import fc from 'fast-check';
import {
  type AnalysisQueue,
  addEntry,
  countOfCaller,
  emptyQueue,
  filterEntries,
  findStartable,
  setCallers,
  startEntry,
} from './analysis-queue.ts';

const limits = { running: 2, runningOfCaller: 1, ofCaller: 3, waiting: 100 };

const add = (queue: AnalysisQueue, id: string, callerIds: readonly string[]) =>
  addEntry(queue, { id, key: id, holder: 'copy', callerIds, renewals: 0 });

/** Starts all that may run, and returns what has started. */
function startAll(queue: AnalysisQueue): { queue: AnalysisQueue; started: string[] } {
  const startable = findStartable(queue, limits);
  return {
    queue: startable.reduce((changed, { id, callerId }) => startEntry(changed, id, callerId), queue),
    started: startable.map(({ id, callerId }) => `${id} for ${callerId}`),
  };
}

const end = (queue: AnalysisQueue, id: string) => filterEntries(queue, (entry) => entry.id !== id);

test('accounts are served in turn, and the analyses of one in order of arrival', () => {
  const all = ['ann 1', 'ann 2', 'ann 3', 'ben 1', 'ben 2', 'cat 1'];
  let queue = all.reduce((changed, id) => add(changed, id, [id.slice(0, 3)]), emptyQueue);
  const order: string[] = [];
  for (const ended of ['', 'ben 1', 'ann 1', 'cat 1', 'ann 2']) {
    const next = startAll(end(queue, ended));
    queue = next.queue;
    order.push(...next.started.map((name) => name.slice(0, 5)));
  }
  expect(order).toEqual(['ann 1', 'ben 1', 'cat 1', 'ann 2', 'ben 2', 'ann 3']);
});

test('an analysis of several accounts runs in the first of their turns, and counts for the one that waits longest', () => {
  const running = startAll(add(emptyQueue, 'ann 1', ['ann'])).queue;
  let queue = add(running, 'shared', ['ann']);
  expect(startAll(queue).started).toEqual([]);
  queue = setCallers(queue, 'shared', ['ann', 'ben']);
  expect([countOfCaller(queue, 'ann'), countOfCaller(queue, 'ben')]).toEqual([2, 0]);
  expect(startAll(queue).started).toEqual(['shared for ben']);
});

test('an account that stays with an analysis keeps its place', () => {
  let queue = add(add(emptyQueue, 'first', ['ann']), 'second', ['ben']);
  queue = setCallers(queue, 'first', ['ann', 'cat']);
  const [entry] = queue.entries;
  expect(entry?.callers).toMatchObject([{ id: 'ann', since: 1 }, { id: 'cat' }]);
  expect(startAll(queue).started).toEqual(['first for ann', 'second for ben']);
});

test('in any order of arrivals and ends the limits hold, no analysis waits while a place is free, and no account is served twice before one that waits', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), caller: fc.constantFrom('ann', 'ben', 'cat', 'dan') }),
    fc.record({ kind: fc.constant('end' as const), index: fc.nat(1) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let queue = emptyQueue;
      /** How often others were served while an account waited with nothing running. */
      const overtakers = new Map<string, string[]>();
      for (const [index, next] of steps.entries()) {
        const running = queue.entries.filter((entry) => entry.runs_for !== null);
        if (next.kind === 'add') queue = add(queue, String(index), [next.caller]);
        else queue = end(queue, running[next.index]?.id ?? '');
        const result = startAll(queue);
        queue = result.queue;
        for (const name of result.started) {
          const caller = name.split(' for ')[1] ?? '';
          overtakers.delete(caller);
          for (const served of overtakers.values()) served.push(caller);
        }
        const runners = queue.entries.flatMap(({ runs_for: caller }) => (caller === null ? [] : [caller]));
        const waiting = queue.entries.filter((entry) => entry.runs_for === null);
        const waitingCallers = new Set(waiting.flatMap(({ callers }) => callers.map(({ id }) => id)));
        expect(runners.length).toBeLessThanOrEqual(2);
        expect(new Set(runners).size).toBe(runners.length);
        if (runners.length < 2) for (const caller of waitingCallers) expect(runners).toContain(caller);
        for (const caller of waitingCallers)
          if (!runners.includes(caller)) {
            const served = overtakers.get(caller) ?? [];
            overtakers.set(caller, served);
            expect(new Set(served).size).toBe(served.length);
          } else overtakers.delete(caller);
        for (const caller of overtakers.keys()) if (!waitingCallers.has(caller)) overtakers.delete(caller);
        expect(filterEntries(queue, () => true).served.every(({ id }) => waitingCallers.has(id))).toBe(true);
      }
    }),
  );
});
