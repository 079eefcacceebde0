import fc from 'fast-check';
import { type AnalysisQueue, enterAnalysis, startNext } from './analysis-queue.ts';

const limits = { running: 2, runningOfCaller: 1, ofCaller: 3, waiting: 100 };

const emptyQueue = (): AnalysisQueue => ({ entries: [], turns: [], failures: [] });

/** Adds an analysis whose key is its id: a new one of the account in its name, unless told otherwise. */
function enter(
  queue: AnalysisQueue,
  id: string,
  {
    callerIds = [id.slice(0, 3)],
    state = 'new' as const,
    key = id,
    ...changed
  }: {
    callerIds?: readonly string[];
    state?: 'new' | 'waiting' | 'running';
    key?: string;
    ofCaller?: number;
    waiting?: number;
  } = {},
): string | null {
  const analysis = { id, key, state, callers: { ids: () => callerIds } };
  const error = enterAnalysis(queue, analysis, { holder: 'copy', limits: { ...limits, ...changed } });
  return error?.code ?? null;
}

/** Starts all that may run, and returns what has started. */
function startAll(queue: AnalysisQueue): string[] {
  const waiting = queue.entries.filter((entry) => entry.runs_for === null);
  const before = new Map(waiting.map((entry) => [entry.id, entry]));
  const turns = () => queue.entries.filter((entry) => before.has(entry.id) && entry.runs_for !== null);
  startNext(queue, limits);
  return turns().map(({ id, runs_for: caller }) => `${id} for ${caller}`);
}

function end(queue: AnalysisQueue, id: string): void {
  queue.entries = queue.entries.filter((entry) => entry.id !== id);
}

const ids = ({ entries }: AnalysisQueue) => entries.map(({ id }) => id);

test('accounts are served in turn, and the analyses of one in order of arrival', () => {
  const queue = emptyQueue();
  for (const id of ['ann 1', 'ann 2', 'ann 3', 'ben 1', 'ben 2', 'cat 1']) enter(queue, id);
  const order: string[] = [];
  for (const ended of ['', 'ben 1', 'ann 1', 'cat 1', 'ann 2']) {
    end(queue, ended);
    order.push(...startAll(queue).map((name) => name.slice(0, 5)));
  }
  expect(order).toEqual(['ann 1', 'ben 1', 'cat 1', 'ann 2', 'ben 2', 'ann 3']);
});

test('an analysis of several accounts runs in the first of their turns', () => {
  const queue = emptyQueue();
  enter(queue, 'ann 1');
  startAll(queue);
  enter(queue, 'shared', { callerIds: ['ann'] });
  expect(startAll(queue)).toEqual([]);
  enter(queue, 'shared', { callerIds: ['ann', 'ben'], state: 'waiting' });
  expect(startAll(queue)).toEqual(['shared for ben']);
});

test('an analysis that its first account leaves counts for one that may have one more, and is refused without one', () => {
  const queue = emptyQueue();
  for (const id of ['ann 1', 'ann 2', 'ben 1']) enter(queue, id);
  const shared = (callerIds: string[]) => enter(queue, 'ben 1', { callerIds, state: 'waiting', ofCaller: 2 });
  const callers = () => queue.entries[2]?.callers;
  expect([shared(['ann', 'ben']), callers()]).toEqual([null, ['ben', 'ann']]);
  expect([shared(['ann', 'cat']), callers()]).toEqual([null, ['cat', 'ann']]);
  expect([shared(['ann']), ids(queue)]).toEqual(['SERVICE_UNAVAILABLE', ['ann 1', 'ann 2']]);
});

test('a new analysis is refused over a limit; one that lost its entry, or is in another copy, gets none', () => {
  const queue = emptyQueue();
  for (const id of ['ann 1', 'ann 2']) enter(queue, id);
  expect(enter(queue, 'ann 3', { ofCaller: 2 })).toBe('SERVICE_UNAVAILABLE');
  expect(enter(queue, 'ben 1', { waiting: 2 })).toBe('SERVICE_UNAVAILABLE');
  expect(enter(queue, 'ben 1', { state: 'waiting' })).toBeNull();
  expect(enter(queue, 'ben 1', { state: 'running' })).toBeNull();
  expect(enter(queue, 'ben 1', { key: 'ann 1' })).toBeNull();
  expect(ids(queue)).toEqual(['ann 1', 'ann 2']);
});

test('in any order of arrivals and ends the limits hold, no analysis waits while another may run, and no account is served twice before one that waits', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), caller: fc.constantFrom('ann', 'ben', 'cat', 'dan') }),
    fc.record({ kind: fc.constant('end' as const), index: fc.nat(1) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      const queue = emptyQueue();
      /** Who was served while an account waited with nothing running. */
      const overtakers = new Map<string, string[]>();
      for (const [index, next] of steps.entries()) {
        const running = queue.entries.filter((entry) => entry.runs_for !== null);
        if (next.kind === 'add') enter(queue, String(index), { callerIds: [next.caller], ofCaller: 100 });
        else end(queue, running[next.index]?.id ?? '');
        for (const name of startAll(queue)) {
          const caller = name.split(' for ')[1] ?? '';
          overtakers.delete(caller);
          for (const served of overtakers.values()) served.push(caller);
        }
        const runners = queue.entries.flatMap(({ runs_for: caller }) => (caller === null ? [] : [caller]));
        const waiting = queue.entries.filter((entry) => entry.runs_for === null);
        const waitingCallers = new Set(waiting.flatMap(({ callers }) => callers));
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
        expect(new Set(queue.turns)).toEqual(waitingCallers);
      }
    }),
  );
});
