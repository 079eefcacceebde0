import { cutToWidth, displayWidth } from './display-width.ts';

test.each([
  ['habit', 5],
  ['習慣トラッカー', 14],
  ['café', 4],
  ['cafe\u0301', 4],
  ['🏃‍♀️ run', 6],
  ['–', 1],
])('%s takes %d columns', (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

test('a text is cut between characters, and says so', () => {
  expect(cutToWidth('Habit Tracker', 13)).toBe('Habit Tracker');
  expect(cutToWidth('Habit Tracker', 7)).toBe('Habit…');
  expect(cutToWidth('習慣トラッカー', 6)).toBe('習慣…');
});
