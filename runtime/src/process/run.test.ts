import { EventEmitter } from 'node:events';
import { createRecordingLogger } from '../../test/recording-logger.ts';
import { createRun, type Part, runUntilSignal } from './run.ts';

const { logger } = createRecordingLogger();

function recordingPart(name: string, story: string[], failing?: 'start' | 'stop'): Part {
  const step = (verb: 'start' | 'stop') => async () => {
    story.push(`${verb} ${name}`);
    if (failing === verb) throw new Error(`${name} cannot ${verb}`);
  };
  return { name, start: step('start'), stop: step('stop') };
}

test('parts stop in the reverse order of their start, once', async () => {
  const story: string[] = [];
  const run = createRun(logger);
  await run.start(recordingPart('a', story));
  run.onStop('database', async () => story.push('close database'));
  await run.start(recordingPart('b', story));
  run.stop(0);
  run.stop(1);
  expect(await run.ended).toBe(0);
  expect(story).toEqual(['start a', 'start b', 'stop b', 'close database', 'stop a']);
});

test('a part that does not start is not stopped, those before it are', async () => {
  const story: string[] = [];
  const run = createRun(logger);
  await run.start(recordingPart('a', story));
  await expect(run.start(recordingPart('b', story, 'start'))).rejects.toThrow('b cannot start');
  run.stop(1);
  expect(await run.ended).toBe(1);
  expect(story).toEqual(['start a', 'start b', 'stop a']);
});

test('a part that does not stop cleanly does not keep the others from stopping, and shows in the exit code', async () => {
  const story: string[] = [];
  const run = createRun(logger);
  await run.start(recordingPart('a', story));
  await run.start(recordingPart('b', story, 'stop'));
  run.stop(0);
  expect(await run.ended).toBe(1);
  expect(story).toContain('stop a');
});

/** A process that remembers its exit code and does not end. */
function createHost() {
  const signals = new EventEmitter();
  const exits: number[] = [];
  const host = { on: signals.on.bind(signals), exit: (code: number) => exits.push(code), ppid: 7 };
  return { host: host as typeof host & NodeJS.Process, signals, exits };
}

test('a signal drains, and the same signal passed on by npm does not cut that short', async () => {
  const story: string[] = [];
  const { host, signals, exits } = createHost();
  const run = createRun(logger);
  await run.start(recordingPart('a', story));
  const ended = runUntilSignal(host, run, logger, { onDraining: () => story.push('draining') });
  signals.emit('SIGINT');
  signals.emit('SIGINT');
  await ended;
  expect(exits).toEqual([0]);
  expect(story).toEqual(['start a', 'draining', 'stop a']);
});

test('a second signal ends a process that takes too long to drain', async () => {
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

test('everything still answers for a while after the first signal', async () => {
  jest.useFakeTimers();
  const story: string[] = [];
  const { host, signals } = createHost();
  const run = createRun(logger);
  await run.start(recordingPart('a', story));
  const ended = runUntilSignal(host, run, logger, {
    lingerMs: 500,
    onDraining: () => story.push('draining'),
  });
  signals.emit('SIGTERM');
  await jest.advanceTimersByTimeAsync(499);
  expect(story).toEqual(['start a', 'draining']);
  await jest.advanceTimersByTimeAsync(1);
  await ended;
  expect(story).toEqual(['start a', 'draining', 'stop a']);
  jest.useRealTimers();
});

test('a process that npm has started drains when its parent is gone', async () => {
  jest.useFakeTimers();
  const { host, exits } = createHost();
  const run = createRun(logger);
  const ended = runUntilSignal(host, run, logger, { isStartedByNpm: true });
  await jest.advanceTimersByTimeAsync(5000);
  expect(exits).toEqual([]);
  host.ppid = 1;
  await jest.advanceTimersByTimeAsync(500);
  await ended;
  expect(exits).toEqual([0]);
  jest.useRealTimers();
});
