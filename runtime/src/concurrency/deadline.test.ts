import { getEventListeners } from 'node:events';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { shortenDeadline, withDeadline, withTimeLimit } from './deadline.ts';
import { untilAborted } from './until-aborted.ts';

const now = new Date('2026-03-10T09:00:00Z');
const after = (ms: number) => new Date(now.getTime() + ms);
const error = new Error('too late');
const callWithin = (ms: number, signal?: AbortSignal) => {
  const call = { requestId: 'r', deadline: after(ms) };
  return signal ? { ...call, signal } : call;
};
/** Work that ends only with its signal. */
const forever = (signal: AbortSignal) => untilAborted(new Promise<never>(() => {}), signal);

beforeEach(() => jest.useFakeTimers({ now }));
afterEach(() => {
  // First the spies: restored later, they would bring the fake timers back.
  jest.restoreAllMocks();
  jest.useRealTimers();
});

test('a nested call ends before its caller, and after its own longest time', () => {
  const outer = callWithin(3000);
  expect(shortenDeadline(outer, { reserveMs: 1000 }).deadline).toEqual(after(2000));
  expect(shortenDeadline(outer, { reserveMs: 1000, maxMs: 60_000 }).deadline).toEqual(after(2000));
  expect(shortenDeadline(outer, { reserveMs: 1000, maxMs: 500 })).toEqual({
    requestId: 'r',
    deadline: after(500),
  });
});

test('the signal fires with the error when the reserved time before the deadline begins', async () => {
  let fired: AbortSignal | undefined;
  const ended = withDeadline(callWithin(3000), { reserveMs: 1000, error }, (signal) => {
    fired = signal;
    return forever(signal);
  });
  const failure = expect(ended).rejects.toBe(error);
  await jest.advanceTimersByTimeAsync(1999);
  expect(fired?.aborted).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  await failure;
});

test('the signal has fired from the start when no time is left', async () => {
  const reasons: unknown[] = [];
  await withDeadline(callWithin(1000), { reserveMs: 1000, error }, async (signal) => {
    reasons.push(signal.reason);
  });
  expect(reasons).toEqual([error]);
});

test('a caller that leaves ends the work with its own reason', async () => {
  const caller = new AbortController();
  const ended = withDeadline(callWithin(3000, caller.signal), { reserveMs: 0, error }, forever);
  caller.abort(new Error('gone'));
  await expect(ended).rejects.toThrow('gone');
});

test('work decides what a timeout means, and a result in time leaves no timer', async () => {
  // The timers of 10 ms. What other files of this process keep open has timers of its own.
  const started = jest.spyOn(globalThis, 'setTimeout');
  const stopped = jest.spyOn(globalThis, 'clearTimeout');
  const partial = withTimeLimit({ ms: 10, error, signal: undefined }, (signal) =>
    forever(signal).catch(() => 'what was read'),
  );
  await jest.advanceTimersByTimeAsync(10);
  expect(await partial).toBe('what was read');
  expect(await withTimeLimit({ ms: 10, error, signal: undefined }, async () => 'all')).toBe('all');
  await expect(
    withTimeLimit({ ms: 10, error, signal: undefined }, () => Promise.reject(new Error('broken'))),
  ).rejects.toThrow('broken');
  const timers = started.mock.calls.flatMap(([, ms], index) =>
    ms === 10 ? [started.mock.results[index]?.value] : [],
  );
  expect(timers).toHaveLength(3);
  for (const timer of timers) expect(stopped).toHaveBeenCalledWith(timer);
});

test('the signal does not fire after the work has settled', async () => {
  const signals: AbortSignal[] = [];
  await withTimeLimit({ ms: 10, error, signal: undefined }, async (signal) => {
    signals.push(signal);
  });
  await jest.advanceTimersByTimeAsync(20);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
});

test('a time limit follows an injected sleep', async () => {
  const clock = createManualClock('2026-11-20T10:00:00Z');
  const ended = withTimeLimit({ ms: 60_000, error, sleep: clock.sleep, signal: undefined }, forever);
  clock.advance(60_000);
  await expect(ended).rejects.toBe(error);
});

test('work that ends in time leaves no listener, and aborts nothing, which would create an error', async () => {
  const caller = new AbortController();
  const aborted = jest.spyOn(AbortController.prototype, 'abort');
  const combined = jest.spyOn(AbortSignal, 'any');
  await withTimeLimit({ ms: 10, error, signal: caller.signal }, async () => {
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(1);
  });
  expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0);
  expect(aborted).not.toHaveBeenCalled();
  expect(combined).not.toHaveBeenCalled();
  jest.restoreAllMocks();
});

test('of a call, only the deadline and the signal are read: the rest of a served call is created when it is', async () => {
  const read = jest.fn();
  const call = {
    ...callWithin(1000),
    get log() {
      return read();
    },
  };
  await withDeadline(call, { reserveMs: 0, error }, async () => {});
  expect(read).not.toHaveBeenCalled();
});
