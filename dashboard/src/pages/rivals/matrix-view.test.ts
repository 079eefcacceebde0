import { type Figure, known, numberOf } from '../../figure.ts';
import { viewRows } from '../../parts/view-rows.ts';
import { matrixFilters, matrixSorts } from './matrix-view.ts';
import type { MatrixRow } from './model.ts';

const apps = [
  { appId: '1', title: 'Own', isOwn: true },
  { appId: '2', title: null, isOwn: false },
];
const notRanked: Figure = { state: 'not_ranked', depth: 80, day: null };

/** @param ranks of the own app and its competitor; null: not ranked */
function row(keyword: string, ranks: (number | null)[], change: number | null = null): MatrixRow {
  const figures = ranks.map((rank) => (rank === null ? notRanked : known(rank)));
  const best = Math.min(...ranks.map((rank) => rank ?? 101));
  return {
    id: keyword,
    keyword,
    traffic: known(keyword.length),
    difficulty: known(1),
    ranks: figures.map((rank, at) => ({ rank, change: at === 0 && change !== null ? known(change) : null })),
    bestId: apps[figures.findIndex((rank) => numberOf(rank) === best)]?.appId ?? null,
    day: '2026-11-28',
  };
}
const rows = [
  row('habit tracker', [2, 5], -1),
  row('mood', [12, 3], 4),
  row('focus', [null, null]),
  row('routine', [null, 40]),
];

test.each([
  [{}, ['habit tracker', 'mood', 'focus', 'routine']],
  [{ lead: 'ahead' }, ['habit tracker']],
  [{ lead: 'behind' }, ['mood', 'routine']],
  [{ rank: '11-30' }, ['mood']],
  [{ rank: 'none' }, ['focus', 'routine']],
  [{ moved: 'up' }, ['mood']],
  [{ moved: 'down' }, ['habit tracker']],
  [{ sort: 'app-2' }, ['mood', 'habit tracker', 'routine', 'focus']],
  [{ sort: '-app-1' }, ['mood', 'habit tracker', 'focus', 'routine']],
  [{ sort: '-traffic', q: 'o' }, ['routine', 'focus', 'mood']],
])('of the matrix %j shows %j', (fields, expected) => {
  const shown = viewRows(rows, fields, {
    filters: matrixFilters({ apps }),
    sortValues: matrixSorts({ apps }),
  });
  expect(shown.map(({ keyword }) => keyword)).toEqual(expected);
});
