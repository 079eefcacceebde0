import { EventEmitter } from 'node:events';
import { createRecordingLogger } from '../../test/recording-logger.ts';
import { createRun, type Part, runUntilSignal } from './run.ts';

const { logger } = createRecordingLogger();

function recordingPart(name: string, calls: string[], failing?: 'start' | 'stop'): Part {
  const step = (verb: 'start' | 'stop') => async () => {
    calls.push(`${verb} ${name}`);
    if (failing === verb) throw new Error(`${name} cannot ${verb}`);
  };
  return { name, start: step('start'), stop: step('stop') };
}

test('parts stop once, in the reverse order of their start', async () => {
  const calls: string[] = [];
  const run = createRun(logger);
  await run.start(recordingPart('a', calls));
  run.onStop('database', async () => calls.push('close database'));
  await run.start(recordingPart('b', calls));
  run.stop(0);
  run.stop(1);
  expect(await run.ended).toBe(0);
  expect(calls).toEqual(['start a', 'start b', 'stop b', 'close database', 'stop a']);
});

test('a part that fails to start is not stopped; earlier parts are', async () => {
  const calls: string[] = [];
  const run = createRun(logger);
  await run.start(recordingPart('a', calls));
  await expect(run.start(recordingPart('b', calls, 'start'))).rejects.toThrow('b cannot start');
  run.stop(1);
  expect(await run.ended).toBe(1);
  expect(calls).toEqual(['start a', 'start b', 'stop a']);
});

test('a part that fails to stop does not keep the others running and sets exit code 1', async () => {
  const calls: string[] = [];
  const run = createRun(logger);
  await run.start(recordingPart('a', calls));
  await run.start(recordingPart('b', calls, 'stop'));
  run.stop(0);
  expect(await run.ended).toBe(1);
  expect(calls).toContain('stop a');
});

test('a failed process prints the reason and ends with 1 after five seconds, even if a part waits for ever', async () => {
  jest.useFakeTimers();
  const printed: string[] = [];
  const { logger: failureLogger, lines } = createRecordingLogger();
  const run = createRun(failureLogger, (sentence) => printed.push(sentence));
  run.onStop('stuck', () => new Promise(() => {}));
  let code: number | undefined;
  void run.ended.then((ended) => {
    code = ended;
  });
  run.fail({ sentence: 'The disk is full.', cause: new Error('ENOSPC') });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: 'The disk is full.', err: { message: 'ENOSPC' } });
  await jest.advanceTimersByTimeAsync(4999);
  expect(code).toBeUndefined();
  await jest.advanceTimersByTimeAsync(1);
  expect(code).toBe(1);
  expect(printed).toEqual(['The disk is full.']);
  jest.useRealTimers();
});

/** A fake process that records its exit code and does not exit. */
function createHost() {
  const signals = new EventEmitter();
  const exits: number[] = [];
  const host = { on: signals.on.bind(signals), exit: (code: number) => exits.push(code), ppid: 7 };
  return { host: host as typeof host & NodeJS.Process, signals, exits };
}

test('a signal drains the process, and the same signal from npm does not interrupt that', async () => {
  const calls: string[] = [];
  const { host, signals, exits } = createHost();
  const run = createRun(logger);
  await run.start(recordingPart('a', calls));
  const ended = runUntilSignal(host, run, logger, { onDraining: () => calls.push('draining') });
  signals.emit('SIGINT');
  signals.emit('SIGINT');
  await ended;
  expect(exits).toEqual([0]);
  expect(calls).toEqual(['start a', 'draining', 'stop a']);
});

test('a second signal ends a process that drains too slowly', async () => {
  jest.useFakeTimers();
  const { host, signals, exits } = createHost();
  const run = createRun(logger);
  run.onStop('stuck', () => new Promise(() => {}));
  void runUntilSignal(host, run, logger);
  signals.emit('SIGTERM');
  jest.advanceTimersByTime(1500);
  signals.emit('SIGTERM');
  expect(exits).toEqual([1]);
  jest.advanceTimersByTime(10_000);
  expect(exits).toEqual([1, 1]);
  jest.useRealTimers();
});

test('all parts keep answering for a while after the first signal', async () => {
  jest.useFakeTimers();
  const calls: string[] = [];
  const { host, signals } = createHost();
  const run = createRun(logger);
  await run.start(recordingPart('a', calls));
  const ended = runUntilSignal(host, run, logger, {
    lingerMs: 500,
    onDraining: () => calls.push('draining'),
  });
  signals.emit('SIGTERM');
  await jest.advanceTimersByTimeAsync(499);
  expect(calls).toEqual(['start a', 'draining']);
  await jest.advanceTimersByTimeAsync(1);
  await ended;
  expect(calls).toEqual(['start a', 'draining', 'stop a']);
  jest.useRealTimers();
});

test('the ten seconds of a stop begin when parts no longer answer', () => {
  jest.useFakeTimers();
  const { host, signals, exits } = createHost();
  const run = createRun(logger);
  run.onStop('stuck', () => new Promise(() => {}));
  void runUntilSignal(host, run, logger, { lingerMs: 30_000 });
  signals.emit('SIGTERM');
  jest.advanceTimersByTime(39_000);
  expect(exits).toEqual([]);
  jest.advanceTimersByTime(1000);
  expect(exits).toEqual([1]);
  jest.useRealTimers();
});

test('a process started by npm drains when its parent exits', async () => {
  jest.useFakeTimers();
  const { host, exits } = createHost();
  const run = createRun(logger);
  const ended = runUntilSignal(host, run, logger, { isStartedByNpm: true });
  await jest.advanceTimersByTimeAsync(5000);
  expect(exits).toEqual([]);
  host.ppid = 1;
  await jest.advanceTimersByTimeAsync(2000);
  await ended;
  expect(exits).toEqual([0]);
  jest.useRealTimers();
});
