import { cutText } from './cut-text.ts';

test.each([
  ['a🎧', 3, 'a🎧'],
  ['a🎧b', 3, 'a🎧'],
  ['a🎧b', 2, 'a'],
  ['abc', 2, 'ab'],
  ['', 0, ''],
])('%j, cut to %d UTF-16 units, is %j: an emoji is never split', (text, max, start) =>
  expect(cutText(text, max)).toBe(start),
);
