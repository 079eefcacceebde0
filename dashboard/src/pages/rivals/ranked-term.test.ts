import { toRankedTerm } from './ranked-term.ts';

const row = {
  keyword: 'habit tracker',
  rank: 3,
  rank_date: '2026-11-28',
  depth: 80,
  stale: false,
  traffic_score: 70,
  difficulty_score: 73,
  kei: 22.4,
  is_tracked: true,
};

test('a term has the rank and the scores of the answer', () => {
  expect(toRankedTerm(row)).toEqual({
    keyword: 'habit tracker',
    keywordId: null,
    isTracked: true,
    traffic: { state: 'known', value: 70 },
    difficulty: { state: 'known', value: 73 },
    kei: { state: 'known', value: 22.4 },
    rank: { state: 'known', value: 3 },
    day: '2026-11-28',
  });
});

test('an old rank is stale, and a score that is missing is not 0', () => {
  const term = toRankedTerm({ ...row, stale: true, traffic_score: null, kei: null });
  expect(term).toMatchObject({
    rank: { state: 'stale', value: 3, day: '2026-11-28' },
    traffic: { state: 'pending' },
    kei: { state: 'pending' },
  });
});
