import { known } from '../../figure.ts';
import type { KeywordsModel } from '../keywords/model.ts';
import { countLeads, rankOf, toTrackedRanks } from './tracked-ranks.ts';

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

test('an app leads by the ranks of what it tracks, also by older ones, and never by what was not read', () => {
  const ranks = toTrackedRanks([
    { keyword: 'first', rank: known(1) },
    { keyword: 'fifth', rank: { state: 'stale', value: 5, day: '2026-11-20' } },
    { keyword: 'sixth', rank: known(6) },
    { keyword: 'unranked', rank: { state: 'not_ranked', depth: 80, day: null } },
    { keyword: 'blocked', rank: { state: 'blocked', value: null, day: null } },
    { keyword: 'unread', rank: { state: 'pending' } },
    { keyword: 'elsewhere', rank: known(1) },
  ] as KeywordsModel['rows']);
  const keywords = ['First', 'fifth', 'sixth', 'unranked', 'blocked', 'unread', 'untracked'];
  expect(countLeads(ranks, keywords)).toEqual({ first: 1, top5: 2 });
  expect(countLeads(null, keywords)).toEqual({ first: 0, top5: 0 });
});
