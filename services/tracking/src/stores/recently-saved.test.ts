import { createRecentlySaved } from './recently-saved.ts';

function start(limit: number) {
  const clock = { ms: 0 };
  return { clock, saved: createRecentlySaved({ limit, maxAgeMs: 1000, nowMs: () => clock.ms }) };
}

test('saved content is remembered, and other content under the same id is not', () => {
  const saved = start(10).saved;
  expect(saved.has('a', 'one')).toBe(false);
  saved.remember('a', 'one');
  expect(saved.has('a', 'one')).toBe(true);
  expect(saved.has('a', 'two')).toBe(false);
  saved.remember('a', 'two');
  expect(saved.has('a', 'one')).toBe(false);
  expect(saved.has('a', 'two')).toBe(true);
});

test('after a second save the old content is not remembered', () => {
  const saved = start(2).saved;
  saved.remember('a', 'one');
  saved.remember('b', 'one');
  saved.remember('a', 'two');
  expect(saved.has('a', 'one')).toBe(false);
  expect(saved.has('a', 'two')).toBe(true);
});

test('the ids that were saved or looked up last are remembered; older ones are forgotten', () => {
  const saved = start(3).saved;
  saved.remember('looked up', 'x');
  for (let id = 0; id < 100; id++) {
    saved.remember(`id ${id}`, 'x');
    expect(saved.has('looked up', 'x')).toBe(true);
  }
  const found = Array.from({ length: 100 }, (_, id) => `id ${id}`).filter((id) => saved.has(id, 'x'));
  expect(found).toContain('id 99');
  expect(found.length).toBeLessThanOrEqual(6);
});

test('content is forgotten after a while, also when it is looked up often: another process may have replaced it', () => {
  const { clock, saved } = start(2);
  saved.remember('a', 'one');
  saved.remember('b', 'one');
  clock.ms = 999;
  expect(saved.has('a', 'one')).toBe(true);
  clock.ms = 1000;
  expect(saved.has('a', 'one')).toBe(false);
});
