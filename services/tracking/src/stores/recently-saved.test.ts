import { createRecentlySaved } from './recently-saved.ts';

test('what was saved is known, with that content only', () => {
  const saved = createRecentlySaved(10);
  expect(saved.has('a', 'one')).toBe(false);
  saved.remember('a', 'one');
  expect(saved.has('a', 'one')).toBe(true);
  expect(saved.has('a', 'two')).toBe(false);
  saved.remember('a', 'two');
  expect(saved.has('a', 'one')).toBe(false);
  expect(saved.has('a', 'two')).toBe(true);
});

test('what was saved again is not known by its old content, however long ago that was', () => {
  const saved = createRecentlySaved(2);
  saved.remember('a', 'one');
  saved.remember('b', 'one');
  saved.remember('a', 'two');
  expect(saved.has('a', 'one')).toBe(false);
  expect(saved.has('a', 'two')).toBe(true);
});

test('it keeps the ids that were saved or looked up last, and forgets the others', () => {
  const saved = createRecentlySaved(3);
  saved.remember('looked up', 'x');
  for (let id = 0; id < 100; id++) {
    saved.remember(`id ${id}`, 'x');
    expect(saved.has('looked up', 'x')).toBe(true);
  }
  const found = Array.from({ length: 100 }, (_, id) => `id ${id}`).filter((id) => saved.has(id, 'x'));
  expect(found).toContain('id 99');
  expect(found.length).toBeLessThanOrEqual(6);
});
