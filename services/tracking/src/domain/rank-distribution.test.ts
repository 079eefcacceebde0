import {
  distributeLatest,
  distributeRanks,
  findTrackedDays,
  type RankedKeyword,
} from './rank-distribution.ts';

const window = { from: '2026-03-09', to: '2026-03-11' };

const keyword = (
  ranks: Record<string, number | null>,
  { traffic = 50, tracked = window }: Partial<Pick<RankedKeyword, 'traffic' | 'tracked'>> = {},
): RankedKeyword => ({ tracked, traffic, ranks: new Map(Object.entries(ranks)) });

/** The day with these keywords, one per rank; undefined: not read. */
function dayOf(ranks: (number | null | undefined)[], traffic: (number | null)[] = []) {
  const [day] = distributeRanks(
    ranks.map((rank, index) =>
      keyword(rank === undefined ? {} : { '2026-03-10': rank }, { traffic: traffic[index] ?? null }),
    ),
    { from: '2026-03-10', to: '2026-03-10' },
  );
  return day;
}

test('each tracked keyword is in one band: its rank, not ranked, or unread', () => {
  expect(dayOf([1, 2, 3, 4, 10, 11, 30, 31, 100, null, undefined, undefined])).toEqual({
    date: '2026-03-10',
    tracked: 12,
    rank_1: 1,
    rank_2_3: 2,
    rank_4_10: 2,
    rank_11_30: 2,
    rank_31_100: 2,
    not_ranked: 1,
    unread: 2,
    traffic_share: null,
  });
});

test.each([
  ['a top 10 rank counts with its traffic', [1, 10, 11, null], [30, 30, 20, 20], 0.6],
  ['nothing in the top 10 is 0, not unknown', [11, null], [40, 10], 0],
  ['has four decimals', [1, 11], [20, 10], 0.6667],
  ['an unknown score is left out', [1, 11, 1], [40, 40, null], 0.5],
  ['exactly 80 % read is enough; the rest is left out', [1, 11, undefined], [14, 14, 7], 0.5],
  ['less than 80 % read is unknown', [1, 11, undefined], [14, 13, 7], null],
  ['without traffic there is no share', [1, 2], [0, 0], null],
])('traffic share: %s', (_name, ranks, traffic, share) => {
  expect(dayOf(ranks, traffic)?.traffic_share).toBe(share);
});

test('a keyword counts on the days on which it was tracked; a day without any has no row', () => {
  const history = distributeRanks(
    [
      keyword(
        { '2026-03-09': 1, '2026-03-10': 1, '2026-03-11': 1 },
        { tracked: { from: '2026-03-10', to: '2026-03-10' } },
      ),
      keyword({ '2026-03-10': 1, '2026-03-11': 1 }, { tracked: { from: '2026-03-11', to: '2026-03-11' } }),
    ],
    window,
  );
  expect(history.map(({ date, tracked, rank_1 }) => [date, tracked, rank_1])).toEqual([
    ['2026-03-10', 1, 1],
    ['2026-03-11', 1, 1],
  ]);
});

test.each([
  ['before the window until now', '2026-01-01', null, window],
  ['from a day of it', '2026-03-10', null, { from: '2026-03-10', to: '2026-03-11' }],
  ['after it', '2026-03-12', null, null],
  [
    'removed on a day of it, which does not count',
    '2026-01-01',
    '2026-03-11',
    { from: '2026-03-09', to: '2026-03-10' },
  ],
  ['removed on its first day', '2026-01-01', '2026-03-09', null],
  ['removed after it', '2026-01-01', '2026-04-01', window],
  ['removed on the day of its tracking', '2026-03-10', '2026-03-10', null],
])('days in the window of a keyword that was tracked %s', (_name, since, removed, expected) => {
  const at = (day: string) => new Date(`${day}T12:00:00Z`);
  const period = { tracked_since: at(since), removed_at: removed === null ? null : at(removed) };
  expect(findTrackedDays(period, window)).toEqual(expected);
});

test('the latest ranks are those of their newest day; an older one, or none, is unread', () => {
  const latest = [
    { day: '2026-03-10', rank: 2 },
    { day: '2026-03-09', rank: 1 },
    undefined,
    { day: '2026-03-10', rank: null },
  ];
  expect(distributeLatest(latest)).toEqual(dayOf([2, undefined, undefined, null]));
});

test('without a snapshot there is no day, which is not a day without ranks', () => {
  expect(distributeLatest([undefined, undefined])).toBeNull();
  expect(distributeLatest([])).toBeNull();
});
