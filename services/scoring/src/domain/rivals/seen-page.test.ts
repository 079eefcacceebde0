import { mondayOf, rankFrom, toSeenPage } from './seen-page.ts';

const ids = (count: number) => Array.from({ length: count }, (_, at) => `app ${at + 1}`);

test.each([
  ['2026-03-09', '2026-03-09'],
  ['2026-03-10', '2026-03-09'],
  ['2026-03-15', '2026-03-09'],
  ['2026-03-16', '2026-03-16'],
  ['2026-01-01', '2025-12-29'],
])('the Monday of the week of %s is %s', (day, monday) => {
  expect(mondayOf(day)).toBe(monday);
});

test.each([
  // results of the page, of which are kept, as seen of a tracked term, and of another one
  [100, 100, [100, false], [20, true]],
  [250, 100, [100, true], [20, true]],
  [100, 20, [20, true], [20, true]],
  [20, 20, [20, false], [20, false]],
  [12, 12, [12, false], [12, false]],
  [0, 0, [0, false], [0, false]],
])(
  'of %i results, %i kept, an account sees %j of its own term and %j of another one',
  (size, kept, own, other) => {
    const see = (isTracked: boolean) => {
      const page = toSeenPage({ day: '2026-03-12', app_ids: ids(kept), size }, { isTracked });
      return [page.app_ids.length, page.is_cut];
    };
    expect(see(true)).toEqual(own);
    expect(see(false)).toEqual(other);
  },
);

test('a page of unknown size is cut only where the account sees less of it than is kept', () => {
  const page = { day: '2026-03-12', app_ids: ids(30), size: null };
  expect(toSeenPage(page, { isTracked: true })).toMatchObject({ day: '2026-03-12', is_cut: false });
  expect(toSeenPage(page, { isTracked: false })).toMatchObject({ day: '2026-03-09', is_cut: true });
});

test('of the page of a term that the account does not track, the ids after the first 20 are nowhere', () => {
  const page = { day: '2026-03-12', app_ids: ids(30), size: null };
  const { app_ids: seen } = toSeenPage(page, { isTracked: false });
  expect(seen.slice(0, 100)).toEqual(ids(20));
  expect(seen.slice(18, 25)).toEqual(['app 19', 'app 20']);
  expect(['app 20', 'app 21', 'app 31'].map((id) => seen.indexOf(id))).toEqual([19, -1, -1]);
});

test.each([
  // the app's rank of 40 results (0: none), the least rank, whether there are more results
  [30, 31, false, 'better'],
  [31, 31, true, 31],
  [40, 31, true, 40],
  [0, 31, true, null],
  [0, 41, true, null],
  [0, 42, true, 'unknown'],
  [0, 42, false, null],
  [1, 1, true, 1],
  [0, 1, true, null],
] as const)('rank %i of 40 results, from %i, more results: %s', (rank, minRank, isCut, expected) => {
  expect(rankFrom(minRank, { app_ids: ids(40), is_cut: isCut }, `app ${rank}`)).toBe(expected);
});
