import { splitTerms } from './split-terms.ts';

test('a pasted list is split by lines, commas and columns of a table; blanks and repeats are left out', () => {
  expect(splitTerms(' habit tracker\n\ndaily planner, mood;goals\tstreaks\r\nhabit tracker\n')).toEqual([
    ['habit tracker', 'daily planner', 'mood', 'goals', 'streaks'],
  ]);
  expect(splitTerms(' \n,')).toEqual([]);
});

test('100 terms are five calls of 20, in their order', () => {
  const terms = Array.from({ length: 100 }, (_, at) => `term ${at}`);
  const calls = splitTerms(terms.join('\n'));
  expect(calls.map((call) => call.length)).toEqual([20, 20, 20, 20, 20]);
  expect(calls.flat()).toEqual(terms);
});
