import fc from 'fast-check';
import { compareMovers, countStatuses, type Mover, toMover } from './movers.ts';

const move = (before: number | null, now: number | null, keyword = 'camera', keywordId = 1): Mover =>
  toMover(
    { keyword_id: keywordId, keyword },
    { day: '2026-03-03', rank: before, depth: 100 },
    { day: '2026-03-10', rank: now, depth: 100 },
  );

test.each([
  [9, 4, 5, 'UP'],
  [4, 9, -5, 'DOWN'],
  [4, 4, 0, 'SAME'],
  [null, null, null, 'SAME'],
  [null, 100, null, 'ENTERED'],
  [1, null, null, 'LEFT'],
])('from rank %p to rank %p: delta %p, %s', (before, now, delta, status) => {
  expect(move(before, now)).toMatchObject({ delta, status });
});

test('the biggest movement comes first; no rank counts as rank 101', () => {
  const movers = [move(50, 52), move(100, null), move(null, 3), move(40, 1), move(null, null)];
  const sorted = [...movers].sort(compareMovers);
  expect(sorted.map(({ from, to }) => [from.rank, to.rank])).toEqual([
    [null, 3],
    [40, 1],
    [50, 52],
    [100, null],
    [null, null],
  ]);
});

test('equal movements are in the order of the keywords, then of the keyword ids', () => {
  const movers = [move(2, 1, 'zoo', 1), move(1, 2, 'camera', 7), move(5, 4, 'camera', 3)];
  expect(movers.sort(compareMovers).map(({ keyword_id: id }) => id)).toEqual([3, 7, 1]);
});

const ranks = fc.option(fc.integer({ min: 1, max: 100 }), { nil: null });
const anyMover = fc
  .record({ before: ranks, now: ranks, keyword: fc.constantFrom('a', 'b', 'ß', 'B'), id: fc.nat(5) })
  .map(({ before, now, keyword, id }) => move(before, now, keyword, id));

test('the order does not depend on the order of the input', () => {
  fc.assert(
    fc.property(fc.array(anyMover), (movers) => {
      const forward = [...movers].sort(compareMovers);
      const backward = [...movers].reverse().sort(compareMovers);
      const key = ({ from, to, keyword, keyword_id: id }: Mover) => [
        Math.abs((from.rank ?? 101) - (to.rank ?? 101)),
        keyword,
        id,
      ];
      expect(forward.map(key)).toEqual(backward.map(key));
    }),
  );
});

test('each mover is counted once', () => {
  const movers = [move(9, 4), move(4, 9), move(4, 4), move(null, null), move(null, 1), move(1, null)];
  expect(countStatuses(movers)).toEqual({ UP: 1, DOWN: 1, SAME: 2, ENTERED: 1, LEFT: 1 });
});
