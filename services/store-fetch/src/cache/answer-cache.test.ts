import { createFakeClock } from '../../test/fake-clock.ts';
import { createKeptAnswers, pack } from './answer-cache.ts';

const mebibyte = 1024 * 1024;

test('an answer that is kept holds no more memory than its own bytes', () => {
  for (const length of [0, 10, 1000, 100_000]) {
    const packed = pack({ terms: Array.from({ length }, (_, i) => `term ${i * 7919}`) });
    expect(packed.buffer.byteLength).toBe(packed.byteLength);
  }
});

test('an answer is good until its moment, and then lets go of its memory', async () => {
  const clock = createFakeClock();
  const kept = createKeptAnswers({ maxBytes: mebibyte, now: clock.now });
  const shelf = kept.shelf<string>('search');
  shelf.keep('a', 'page', new Date(clock.now().getTime() + 1000));
  await clock.advance(999);
  expect(shelf.find('a')).toBe('page');
  await clock.advance(1);
  expect(shelf.find('a')).toBeUndefined();
  expect(kept.heldBytes()).toBe(0);
});

test('an answer that is not good any more is not kept', () => {
  const clock = createFakeClock();
  const kept = createKeptAnswers({ maxBytes: mebibyte, now: clock.now });
  kept.shelf<string>('search').keep('a', 'page', clock.now());
  expect(kept.heldBytes()).toBe(0);
});
