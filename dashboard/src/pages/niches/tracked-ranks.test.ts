import { known } from '../../figure.ts';
import type { KeywordsModel } from '../keywords/model.ts';
import { rankOf, toTrackedRanks } from './tracked-ranks.ts';

const rows = [
  { keyword: 'Habit Tracker', rank: known(3) },
  { keyword: 'mood', rank: { state: 'not_ranked', depth: 80, day: null } },
] as KeywordsModel['rows'];

test('a keyword of a niche that is tracked has its rank, also where there is none', () => {
  const ranks = toTrackedRanks(rows);
  expect(rankOf(ranks, 'habit tracker')).toEqual(known(3));
  expect(rankOf(ranks, 'mood')).toEqual({ state: 'not_ranked', depth: 80, day: null });
});

test('one that is not tracked, or before that is known, has none', () => {
  expect(rankOf(toTrackedRanks(rows), 'goals')).toBeNull();
  expect(rankOf(null, 'mood')).toBeNull();
});
