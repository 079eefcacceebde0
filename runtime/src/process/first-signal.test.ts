import { EventEmitter } from 'node:events';
import { firstSignal, type SignalHost } from './first-signal.ts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A fake process that records its exit codes and does not exit. */
function createHost() {
  const signals = new EventEmitter();
  const exits: number[] = [];
  const host = { on: signals.on.bind(signals), exit: (code: number) => exits.push(code), ppid: 7 };
  return { host: host as unknown as SignalHost, signals, exits };
}

test.each(['SIGINT', 'SIGTERM'])('%s fires once, even when npm passes it on a moment later', (name) => {
  const { host, signals, exits } = createHost();
  const signal = firstSignal(host);
  expect(signal.aborted).toBe(false);
  signals.emit(name);
  jest.advanceTimersByTime(900);
  signals.emit(name);
  expect(signal.aborted).toBe(true);
  expect(exits).toEqual([]);
});

test('a second Ctrl-C ends the process immediately', () => {
  const { host, signals, exits } = createHost();
  firstSignal(host);
  signals.emit('SIGINT');
  jest.advanceTimersByTime(1100);
  signals.emit('SIGINT');
  expect(exits).toEqual([1]);
});

test('a process that is still running after ten seconds logs it and exits', () => {
  const { host, signals, exits } = createHost();
  const onTimeout = jest.fn();
  firstSignal(host, { onTimeout });
  signals.emit('SIGTERM');
  jest.advanceTimersByTime(9999);
  expect([onTimeout.mock.calls, exits]).toEqual([[], []]);
  jest.advanceTimersByTime(1);
  expect([onTimeout.mock.calls, exits]).toEqual([[[10]], [1]]);
});
