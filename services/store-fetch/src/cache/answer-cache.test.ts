import { z } from 'zod';
import { createFakeClock } from '../../test/fake-clock.ts';
import { createAnswerCache, pack } from './answer-cache.ts';

const mebibyte = 1024 * 1024;

test('a cached answer uses no more memory than its own bytes', () => {
  for (const length of [0, 10, 1000, 100_000]) {
    const packed = pack({ terms: Array.from({ length }, (_, i) => `term ${i * 7919}`) });
    expect(packed.buffer.byteLength).toBe(packed.byteLength);
  }
});

test('an answer is returned until it expires; its memory is then freed', async () => {
  const clock = createFakeClock();
  const cache = createAnswerCache({ maxBytes: mebibyte, now: clock.now });
  const section = cache.section('search', z.string());
  section.set('a', 'page', new Date(clock.now().getTime() + 1000));
  await clock.advance(999);
  expect(section.get('a')).toBe('page');
  await clock.advance(1);
  expect(section.get('a')).toBeUndefined();
  expect(cache.sizeBytes()).toBe(0);
});

test('an answer that has already expired is not cached', () => {
  const clock = createFakeClock();
  const cache = createAnswerCache({ maxBytes: mebibyte, now: clock.now });
  cache.section('search', z.string()).set('a', 'page', clock.now());
  expect(cache.sizeBytes()).toBe(0);
});
