import { toRankChange } from './rank-change.ts';

const day = '2026-06-15';
const since = '2026-06-08';
const changeOf = (before: number | null, now: number | null) =>
  toRankChange({ rank: now, day }, [{ date: since, rank: before }]);

test.each([
  [5, 2, { state: 'known', value: 3 }, 'up'],
  [2, 5, { state: 'known', value: -3 }, 'down'],
  [4, 4, { state: 'known', value: 0 }, 'same'],
  [null, 9, { state: 'not_applicable' }, 'entered'],
  [9, null, { state: 'not_applicable' }, 'left'],
  [null, null, { state: 'not_applicable' }, 'same'],
])('from rank %p to rank %p', (before, now, places, status) => {
  expect(changeOf(before, now)).toEqual({ places, status, since });
});

test('the days around the one that was not read are no substitute', () => {
  const read = [
    { date: '2026-06-07', rank: 5 },
    { date: '2026-06-09', rank: 6 },
    { date: day, rank: 2 },
  ];
  const places = { state: 'unknown', reason: 'day_not_read' };
  expect(toRankChange({ rank: 2, day }, read)).toEqual({ places, status: null, since });
});

test.each([
  [[]],
  [
    [
      { date: '2026-06-09', rank: 6 },
      { date: day, rank: 2 },
    ],
  ],
])('before seven days have passed there is no earlier day', (read) => {
  const places = { state: 'unknown', reason: 'no_earlier_day' };
  expect(toRankChange({ rank: 2, day }, read)).toEqual({ places, status: null, since });
});

test('an old rank is compared with the day seven days before it, across the end of a month', () => {
  const read = [
    { date: '2026-05-28', rank: 20 },
    { date: '2026-06-04', rank: 12 },
  ];
  expect(toRankChange({ rank: 12, day: '2026-06-04' }, read)).toEqual({
    places: { state: 'known', value: 8 },
    status: 'up',
    since: '2026-05-28',
  });
});
