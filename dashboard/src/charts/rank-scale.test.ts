import { daysOfWindow } from '@shelfwise/runtime/day';
import { rankDepth, rankLinesOf } from './rank-scale.ts';

test('the first ten ranks take half of the height', () => {
  expect([rankDepth(1), rankDepth(10), rankDepth(100)]).toEqual([0, 0.5, 1]);
});

test('a day that was not read is a gap, and a day without a rank is no point of a line', () => {
  const days = daysOfWindow('2026-11-01', '2026-11-06');
  const read = [
    { date: '2026-11-01', rank: 3 },
    { date: '2026-11-02', rank: 4 },
    { date: '2026-11-04', rank: 5 },
    { date: '2026-11-05', rank: null },
    { date: '2026-11-06', rank: 6 },
  ];
  expect(rankLinesOf(days, read)).toEqual({
    lines: [
      [
        { at: 0, rank: 3 },
        { at: 1, rank: 4 },
      ],
      [{ at: 3, rank: 5 }],
      [{ at: 5, rank: 6 }],
    ],
    notRanked: [4],
    unread: [2],
  });
});
