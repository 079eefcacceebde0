import { weighPrefix } from './prefix.ts';

test.each([
  ['p', 1],
  ['photo e', 7],
  ['写', 3],
  ['スー', 6],
  ['사진', 6],
  ['ai写', 5],
  ['e\u0301t', 2],
  ['が', 3],
  ['か\u3099', 3],
  ['𠮷', 3],
  ['👩‍👩‍👧x', 2],
  ['รู', 1],
])('"%s" counts %i characters', (prefix, weight) => {
  expect(weighPrefix(prefix)).toBe(weight);
});
