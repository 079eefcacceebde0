import { isSurprisingDrop } from './surprising-drop.ts';

test('a drop of more than 20 places, or out of the page, needs a second look', () => {
  expect(isSurprisingDrop({ before: 10, after: 30 })).toBe(false);
  expect(isSurprisingDrop({ before: 10, after: 31 })).toBe(true);
  expect(isSurprisingDrop({ before: 95, after: null })).toBe(true);
  expect(isSurprisingDrop({ before: 31, after: 10 })).toBe(false);
  expect(isSurprisingDrop({ before: null, after: null })).toBe(false);
});
