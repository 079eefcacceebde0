import { shortenLists } from '../scripts/record-examples/shorten-lists.ts';

test('an answer without long lists is complete', () => {
  const answer = { data: { rows: [1, 2, 3, 4, 5], none: null } };
  expect(shortenLists(answer)).toEqual({ summary: 'A complete answer.', value: answer });
});

test('every long list keeps its first five items; the summary has the path and the length of the longest', () => {
  const numbers = [1, 2, 3, 4, 5, 6, 7];
  const answer = { data: [{ terms: numbers }, { terms: [...numbers, 8] }], meta: { days: numbers } };
  expect(shortenLists(answer)).toEqual({
    summary: 'Shortened to the first 5 items: data[].terms (of 8), meta.days (of 7).',
    value: {
      data: [{ terms: [1, 2, 3, 4, 5] }, { terms: [1, 2, 3, 4, 5] }],
      meta: { days: [1, 2, 3, 4, 5] },
    },
  });
});
