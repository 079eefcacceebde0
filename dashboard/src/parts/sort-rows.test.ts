import { readSort, sortRows } from './sort-rows.ts';

const rows = [{ rank: 7 }, { rank: null }, { rank: 2 }];

test('what has no number comes last in both directions', () => {
  const ranks = (text: string) => sortRows(rows, readSort(text), ({ rank }) => rank).map(({ rank }) => rank);
  expect(ranks('rank')).toEqual([2, 7, null]);
  expect(ranks('-rank')).toEqual([7, 2, null]);
  expect(ranks('')).toEqual([7, null, 2]);
});

test('texts are in the order of a dictionary, and equal rows keep theirs', () => {
  const named = ['Zeta', 'äther', 'alpha', 'Beta', 'alpha'].map((name, at) => ({ name, at }));
  const sorted = sortRows(named, readSort('name'), ({ name }) => name);
  expect(sorted.map(({ name, at }) => `${name} ${at}`)).toEqual([
    'alpha 2',
    'alpha 4',
    'äther 1',
    'Beta 3',
    'Zeta 0',
  ]);
});

test('an order that the address makes up changes nothing', () => {
  expect(sortRows(rows, readSort('nothing'), undefined)).toBe(rows);
});
