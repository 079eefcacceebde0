import { findNeighbor } from './find-neighbor.ts';

const rows = ['7', '3', '9', '1'].map((id) => ({ id }));

test.each([
  ['3', 1, '9'],
  ['3', -1, '7'],
  ['3', 2, '1'],
  ['3', 5, '1'],
  ['9', -5, '7'],
  ['3', 0, '3'],
  ['1', 1, '1'],
  ['4', 1, null],
])('from %s by %i rows it is %s', (id, steps, neighbor) => {
  expect(findNeighbor(rows, id, steps)).toBe(neighbor);
});
