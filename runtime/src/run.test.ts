import { createRecordingLogger } from '../test/recording-logger.ts';
import { type Part, startParts } from './run.ts';

const { logger } = createRecordingLogger();

function recordingPart(name: string, story: string[], failing?: 'start' | 'stop'): Part {
  const step = (verb: 'start' | 'stop') => async () => {
    story.push(`${verb} ${name}`);
    if (failing === verb) throw new Error(`${name} cannot ${verb}`);
  };
  return { name, start: step('start'), stop: step('stop') };
}

test('parts start in order and stop in the reverse order', async () => {
  const story: string[] = [];
  const run = await startParts([recordingPart('a', story), recordingPart('b', story)], logger);
  run.stop(0);
  run.stop(1);
  expect(await run.ended).toBe(0);
  expect(story).toEqual(['start a', 'start b', 'stop b', 'stop a']);
});

test('when a part does not start, those that run are stopped again', async () => {
  const story: string[] = [];
  const parts = [recordingPart('a', story), recordingPart('b', story, 'start')];
  await expect(startParts(parts, logger)).rejects.toThrow('b cannot start');
  expect(story).toEqual(['start a', 'start b', 'stop a']);
});

test('a part that does not stop cleanly does not keep the others from stopping, and shows in the exit code', async () => {
  const story: string[] = [];
  const run = await startParts([recordingPart('a', story), recordingPart('b', story, 'stop')], logger);
  run.stop(0);
  expect(await run.ended).toBe(1);
  expect(story).toContain('stop a');
});
