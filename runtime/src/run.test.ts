import { createRecordingLogger } from '../test/recording-logger.ts';
import { createRun, type Part } from './run.ts';

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
  run.closing('database', async () => story.push('close database'));
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
