import { oneCaller } from '@shelfwise/runtime/concurrency/waiting-callers';
import { type AnalysisQueue, addEntry, emptyQueue, startEntry } from '../domain/analysis-queue.ts';
import type { OwnAnalysis } from './own-analysis.ts';
import { planQueue } from './plan-queue.ts';

const limits = { running: 2, runningOfCaller: 1, ofCaller: 2, waiting: 3 };

/** The analysis with this id: its key and its account are `key 1` and `ann` for `ann 1`. */
function analysis(id: string, state: OwnAnalysis['state'] = 'new') {
  return { id, key: `key ${id}`, callers: oneCaller(id.slice(0, 3)), state };
}

function callersOf(ids: readonly string[]) {
  return { ...oneCaller(''), ids: () => ids };
}

/** A queue with entries of a copy. The first ones run. */
function queueOf(holder: string, { running = [] as string[], waiting = [] as string[] }): AnalysisQueue {
  let queue = emptyQueue;
  for (const id of [...running, ...waiting])
    queue = addEntry(queue, { id, key: `key ${id}`, holder, callerIds: [id.slice(0, 3)], renewals: 0 });
  for (const id of running) queue = startEntry(queue, id, id.slice(0, 3));
  return queue;
}

function plan(living: AnalysisQueue, analyses: ReturnType<typeof analysis>[], isRenewal = false) {
  const { queue, outcomes } = planQueue(
    living,
    { holder: 'here', analyses, failures: [], isRenewal },
    limits,
  );
  return { queue, outcomes, ids: queue.entries.map(({ id }) => id) };
}

test('a new analysis gets a place and starts when it is its turn', () => {
  const { ids, outcomes } = plan(emptyQueue, [analysis('ann 1'), analysis('ann 2'), analysis('ben 1')]);
  expect(ids).toEqual(['ann 1', 'ann 2', 'ben 1']);
  expect(outcomes).toEqual([
    { id: 'ann 1', type: 'started', callerId: 'ann' },
    { id: 'ben 1', type: 'started', callerId: 'ben' },
  ]);
});

test('an analysis of another copy whose turn it is is left to that copy', () => {
  const { queue, outcomes } = plan(queueOf('there', { waiting: ['ann 1'] }), []);
  expect(queue.entries).toMatchObject([{ id: 'ann 1', runs_for: null }]);
  expect(outcomes).toEqual([]);
});

test('an analysis that another copy has gets no second place', () => {
  const { ids, outcomes } = plan(queueOf('there', { running: ['ann 1'] }), [
    { ...analysis('ben 1'), key: 'key ann 1' },
  ]);
  expect(ids).toEqual(['ann 1']);
  expect(outcomes).toEqual([{ id: 'ben 1', type: 'elsewhere' }]);
});

test('a new analysis is refused over a limit; one that waited before gets its place back', () => {
  const full = queueOf('there', { running: ['cat 1'], waiting: ['cat 2'] });
  expect(plan(full, [analysis('cat 3')])).toMatchObject({
    ids: ['cat 1', 'cat 2'],
    outcomes: [{ id: 'cat 3', type: 'refused', error: { code: 'SERVICE_UNAVAILABLE' } }],
  });
  expect(plan(full, [analysis('cat 3', 'waiting')])).toMatchObject({
    ids: ['cat 1', 'cat 2', 'cat 3'],
    outcomes: [],
  });
});

test('an analysis that its first account leaves passes to one that may have one more, and is refused without one', () => {
  const queue = queueOf('here', { running: ['ann 1'], waiting: ['ann 2', 'ben 1'] });
  const own = [analysis('ann 1', 'running'), analysis('ann 2', 'waiting')];
  const joined = (ids: string[]) => [...own, { ...analysis('ben 1', 'waiting'), callers: callersOf(ids) }];
  expect(plan(queue, joined(['ben', 'ann'])).outcomes).toEqual([
    { id: 'ben 1', type: 'started', callerId: 'ben' },
  ]);
  const passedOn = plan(queue, joined(['ann', 'cat']));
  expect(passedOn.queue.entries[2]?.callers.map(({ id }) => id)).toEqual(['cat', 'ann']);
  expect(plan(queue, joined(['ann']))).toMatchObject({
    ids: ['ann 1', 'ann 2'],
    outcomes: [{ id: 'ben 1', type: 'refused', error: { code: 'SERVICE_UNAVAILABLE' } }],
  });
});

test('a running analysis without a place is lost; a place that runs without an analysis starts it', () => {
  expect(plan(emptyQueue, [analysis('ann 1', 'running')]).outcomes).toEqual([{ id: 'ann 1', type: 'lost' }]);
  const unconfirmed = queueOf('here', { running: ['ann 1'] });
  expect(plan(unconfirmed, [analysis('ann 1', 'waiting')]).outcomes).toEqual([
    { id: 'ann 1', type: 'started', callerId: 'ann' },
  ]);
});

test('a renewal raises the numbers of the own entries only; without one nothing changes', () => {
  const theirs = queueOf('there', { running: ['ann 1'] });
  const both = {
    ...theirs,
    entries: [...theirs.entries, ...queueOf('here', { running: ['ben 1'] }).entries],
  };
  const mine = [analysis('ben 1', 'running')];
  expect(plan(both, mine, true).queue.entries.map(({ renewals }) => renewals)).toEqual([0, 1]);
  expect(plan(both, mine).queue).toEqual(both);
});
