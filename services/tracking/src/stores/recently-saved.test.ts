import { createRecentlySaved } from './recently-saved.ts';

test('saved content is remembered, and other content under the same id is not', () => {
  const saved = createRecentlySaved(10);
  expect(saved.has('a', 'one')).toBe(false);
  saved.remember('a', 'one');
  expect(saved.has('a', 'one')).toBe(true);
  expect(saved.has('a', 'two')).toBe(false);
  saved.remember('a', 'two');
  expect(saved.has('a', 'one')).toBe(false);
  expect(saved.has('a', 'two')).toBe(true);
});

test('after a second save the old content is not remembered', () => {
  const saved = createRecentlySaved(2);
  saved.remember('a', 'one');
  saved.remember('b', 'one');
  saved.remember('a', 'two');
  expect(saved.has('a', 'one')).toBe(false);
  expect(saved.has('a', 'two')).toBe(true);
});

test('the ids that were saved or looked up last are remembered; older ones are forgotten', () => {
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
