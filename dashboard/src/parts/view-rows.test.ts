import { viewRows } from './view-rows.ts';

const rows = [
  { keyword: 'mood', rank: 3 },
  { keyword: 'habit', rank: null },
  { keyword: 'habit tracker', rank: 1 },
];
const view = {
  filters: { rank: { none: ({ rank }: (typeof rows)[number]) => rank === null } },
  sortValues: { rank: ({ rank }: (typeof rows)[number]) => rank },
};

test.each([
  [{}, ['mood', 'habit', 'habit tracker']],
  [{ q: ' HABIT ' }, ['habit', 'habit tracker']],
  [{ rank: 'none' }, ['habit']],
  [{ sort: '-rank' }, ['mood', 'habit tracker', 'habit']],
  [{ sort: 'rank', q: 'o', rank: 'valueOf' }, ['mood']],
  [{ sort: 'toString', rank: 'toString' }, ['mood', 'habit', 'habit tracker']],
])('of the rows %j shows %j', (fields, expected) => {
  expect(viewRows(rows, fields, view).map(({ keyword }) => keyword)).toEqual(expected);
});
