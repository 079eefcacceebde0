import { type Figure, known, pending } from '../../figure.ts';
import { viewList, wholeList } from './list-view.ts';
import type { KeywordRow } from './model.ts';

const row = (keyword: string, rank: Figure, others: Partial<KeywordRow> = {}): KeywordRow => ({
  id: keyword,
  keyword,
  isFavorite: false,
  rank,
  change: known(0),
  status: 'same',
  traffic: pending,
  difficulty: pending,
  kei: pending,
  keiReason: null,
  first: null,
  day: '2026-11-28',
  ...others,
});
const notRanked: Figure = { state: 'not_ranked', depth: 80, day: null };
const rows = [
  row('habit tracker', known(3), { isFavorite: true, kei: known(25) }),
  row('daily planner', known(11), { status: 'down', kei: known(33) }),
  row('mood', notRanked, { status: 'left' }),
  row('focus', known(4), { status: 'entered', kei: known(12) }),
];
const shown = (fields: Partial<typeof wholeList>) =>
  viewList(rows, { ...wholeList, ...fields }).map(({ keyword }) => keyword);

test.each([
  [{}, ['habit tracker', 'daily planner', 'mood', 'focus']],
  [{ q: ' PLAN' }, ['daily planner']],
  [{ favorites: 'yes' }, ['habit tracker']],
  [{ rank: '1-3' }, ['habit tracker']],
  [{ rank: '11-30' }, ['daily planner']],
  [{ rank: 'none' }, ['mood']],
  [{ moved: 'up' }, ['focus']],
  [{ moved: 'down', rank: 'none' }, ['mood']],
  [{ sort: '-kei' }, ['daily planner', 'habit tracker', 'focus', 'mood']],
  [{ rank: 'constructor', sort: 'constructor' }, ['habit tracker', 'daily planner', 'mood', 'focus']],
])('of the list %j shows %j', (fields, keywords) => {
  expect(shown(fields)).toEqual(keywords);
});
