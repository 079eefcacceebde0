import { createReplacedKeys } from './replaced-keys.ts';

test('only older versions than the newest one of the account are replaced', () => {
  const keys = createReplacedKeys();
  expect(keys.isReplaced('a', 1)).toBe(false);
  keys.add('a', 3);
  keys.add('a', 2);
  expect([1, 2, 3, 4].map((version) => keys.isReplaced('a', version))).toEqual([true, true, false, false]);
  expect(keys.isReplaced('b', 1)).toBe(false);
});

test('of too many accounts the oldest replacements are forgotten', () => {
  const keys = createReplacedKeys();
  for (let account = 0; account <= 1000; account++) keys.add(`a${account}`, 2);
  expect(keys.isReplaced('a0', 1)).toBe(false);
  expect(keys.isReplaced('a1', 1)).toBe(true);
});
