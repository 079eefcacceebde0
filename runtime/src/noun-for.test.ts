import { nounFor } from './noun-for.ts';

test.each([
  [0, 'words'],
  [1, 'word'],
  [2, 'words'],
  [101, 'words'],
])('%i is followed by "%s"', (count, noun) => {
  expect(nounFor(count, 'word')).toBe(noun);
});
