import { questionAbout } from '../../test/question-about.ts';
import { StoreFailure, type StoreFailureKind } from '../store-failure.ts';
import { afterEvent, type BreakerState, closedState, isOpen } from './breaker-state.ts';
import { mergeBreakerStates } from './merge-breaker-states.ts';

const failed = (state: BreakerState, atMs: number, kind: StoreFailureKind = 'error') =>
  afterEvent(state, {
    type: 'failed',
    id: 'call',
    atMs,
    question: questionAbout(String(atMs)),
    failure: new StoreFailure(kind, 'failed'),
  });
const succeeded = (state: BreakerState, atMs: number) =>
  afterEvent(state, { type: 'succeeded', id: 'call', atMs });
const opened = (atMs: number) => failed(closedState, atMs, 'throttled');
const merge = (own: BreakerState, shared: BreakerState) => {
  const merged = mergeBreakerStates(own, shared);
  expect(isOpen(mergeBreakerStates(shared, own))).toBe(isOpen(merged));
  return merged;
};

test('a success outdates earlier failures of any copy, and no later ones', () => {
  const closed = succeeded(failed(closedState, 1), 20);
  expect(merge(opened(10), closed)).toEqual(closed);
  expect(isOpen(merge(opened(30), closed))).toBe(true);
  expect(merge(opened(30), closed)).toMatchObject({ succeededAtMs: 20 });
});

test('without a success in between an open state is right, and of two open ones the later', () => {
  expect(merge(opened(10), failed(closedState, 20))).toMatchObject({ openUntilMs: 15_010, failedAtMs: 20 });
  expect(merge(opened(10), opened(20))).toMatchObject({ openUntilMs: 15_020 });
});

test('of two closed states the one with more failures in a row is right', () => {
  expect(merge(failed(failed(closedState, 1), 2), failed(closedState, 3))).toMatchObject({
    streak: { ofStore: 2 },
  });
  expect(merge(failed(closedState, 3), closedState)).toMatchObject({ streak: { ofStore: 1 } });
  expect(merge(closedState, closedState)).toEqual(closedState);
});

test('the failed items of both copies are no probes', () => {
  expect(merge(opened(10), opened(20)).barred.size).toBe(2);
});
