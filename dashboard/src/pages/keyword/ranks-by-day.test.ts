import { known, rankFigure } from '../../figure.ts';
import { ranksByDay } from './ranks-by-day.ts';

const notRanked = rankFigure(null, { depth: 80, day: '2026-11-24', age: 'fresh' });

test('each day has a rank of each app, the latest day first', () => {
  const own = {
    read: [
      { date: '2026-11-23', rank: known(3) },
      { date: '2026-11-25', rank: known(2) },
    ],
  };
  const rival = {
    read: [
      { date: '2026-11-24', rank: notRanked },
      { date: '2026-11-25', rank: known(9) },
    ],
  };
  const notRead = { state: 'unknown', reason: 'not_read' };
  expect(ranksByDay([own, rival])).toEqual([
    { day: '2026-11-25', ranks: [known(2), known(9)] },
    { day: '2026-11-24', ranks: [notRead, notRanked] },
    { day: '2026-11-23', ranks: [known(3), notRead] },
  ]);
});

test('before anything was read there is no day', () => {
  expect(ranksByDay([])).toEqual([]);
  expect(ranksByDay([{ read: [] }])).toEqual([]);
});
