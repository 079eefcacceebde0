import { createFakeClock } from '../../test/fake-clock.ts';
import { questionAbout } from '../../test/question-about.ts';
import { createFailedQuestions } from './failed-questions.ts';
import { StoreFailure } from './store-failure.ts';

const unreadable = () =>
  new StoreFailure('malformed', 'sent something else', { cause: new Error('the answer') });

test('remembers a failure without its cause, for five minutes', async () => {
  const clock = createFakeClock('2026-11-21T12:00:00.100Z');
  const questions = createFailedQuestions(clock.now);
  questions.remember('itunes-lookup', questionAbout('1'), unreadable());
  const found = await questions.find('itunes-lookup', questionAbout('1'));
  expect(found).toMatchObject({
    kind: 'malformed',
    message: 'sent something else; it is not called for this again until 12:05:01 UTC',
  });
  expect(found?.cause).toBeUndefined();
  expect(await questions.find('itunes-lookup', questionAbout('2'))).toBeNull();
  await clock.advance(300_000);
  expect(await questions.find('itunes-lookup', questionAbout('1'))).toBeNull();
});

test('remembers 5,000 questions at most, the most recently used ones, with short messages', async () => {
  const questions = createFailedQuestions(createFakeClock().now);
  const ask = (i: number) => questionAbout(String(i));
  for (let i = 0; i < 5_001; i++)
    questions.remember('itunes-lookup', ask(i), new StoreFailure('malformed', 'x'.repeat(100_000)));
  expect(await questions.find('itunes-lookup', ask(0))).toBeNull();
  expect((await questions.find('itunes-lookup', ask(1)))?.message.length).toBeLessThan(1000);
});

test('setting the clock back forgets a failure rather than remembering it longer', async () => {
  const clock = createFakeClock();
  const questions = createFailedQuestions(clock.now);
  questions.remember('itunes-lookup', questionAbout('1'), unreadable());
  clock.setBack(3_600_000);
  expect(await questions.find('itunes-lookup', questionAbout('1'))).toBeNull();
});
