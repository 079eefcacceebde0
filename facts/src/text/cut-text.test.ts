import { cutText } from './cut-text.ts';

test.each([
  ['a🎧', 3, 'a🎧'],
  ['a🎧b', 3, 'a🎧'],
  ['a🎧b', 2, 'a'],
  ['abc', 2, 'ab'],
  ['', 0, ''],
])('the start of %j, at most %d units', (text, max, start) => expect(cutText(text, max)).toBe(start));
