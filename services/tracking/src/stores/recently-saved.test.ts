import { createRecentlySaved } from './recently-saved.ts';

test('what was noted is known, with that content only', () => {
  const saved = createRecentlySaved(10);
  expect(saved.has('a', 'one')).toBe(false);
  saved.note('a', 'one');
  expect(saved.has('a', 'one')).toBe(true);
  expect(saved.has('a', 'two')).toBe(false);
  saved.note('a', 'two');
  expect(saved.has('a', 'one')).toBe(false);
  expect(saved.has('a', 'two')).toBe(true);
});

test('what was noted anew is not known by its old content, however long ago that was', () => {
  const saved = createRecentlySaved(2);
  saved.note('a', 'one');
  saved.note('b', 'one');
  saved.note('a', 'two');
  expect(saved.has('a', 'one')).toBe(false);
  expect(saved.has('a', 'two')).toBe(true);
});

test('it keeps the ids that were noted or asked for last, and forgets the others', () => {
  const saved = createRecentlySaved(3);
  saved.note('asked for', 'x');
  for (let id = 0; id < 100; id++) {
    saved.note(`id ${id}`, 'x');
    expect(saved.has('asked for', 'x')).toBe(true);
  }
  const kept = Array.from({ length: 100 }, (_, id) => `id ${id}`).filter((id) => saved.has(id, 'x'));
  expect(kept).toContain('id 99');
  expect(kept.length).toBeLessThanOrEqual(6);
});
