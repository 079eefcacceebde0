import { known } from '@shelfwise/dashboard/figure';
import { toFirstResults } from './first-results.ts';

const day = '2026-06-15';
const own = { app_id: 'own', title: 'Our app', icon: null, ratings: 12 };

const top = (ids: readonly string[]) =>
  ids
    .slice(0, 5)
    .map((id, at) => ({ app_id: id, title: id, icon: `https://x.test/${id}`, rank: at + 1, ratings: 9 }));
const scored = (ids: readonly string[], on: string | null = day) => ({
  rank_date: on,
  apps: ids.slice(0, 10).map((id, at) => ({
    app_id: id,
    title: id,
    rank: at + 1,
    ratings: null,
    rating: null,
    installs: null,
    updated_at: null,
    evidence: null,
  })),
});
const others = Array.from({ length: 12 }, (_, at) => `app.${at + 1}`);
const withOwnAt = (rank: number) => others.toSpliced(rank - 1, 0, 'own');
const rowOf = (ids: readonly string[], rank: number | null) => ({
  ranking: top(ids),
  current_rank: rank,
  rank_date: day,
  result_count: ids.length,
});

const shown = (...given: Parameters<typeof toFirstResults>) => {
  const { results, resultsMissing } = toFirstResults(...given);
  return [results.map(({ appId }) => appId), resultsMissing];
};

test('the first ten come with the scores of the same page, with the own app among them', () => {
  const ids = withOwnAt(7);
  const { results, resultsMissing } = toFirstResults(own, rowOf(ids, 7), scored(ids));
  expect(results.map(({ appId }) => appId)).toEqual(ids.slice(0, 10));
  expect(results[6]).toEqual({
    appId: 'own',
    rank: known(7),
    title: 'own',
    hasIcon: true,
    isOwn: true,
    ratings: { state: 'unknown', reason: 'not_published' },
  });
  expect(resultsMissing).toBeNull();
});

test('an app that ranks deeper has its row after them; one that does not rank has none', () => {
  const ids = withOwnAt(11);
  const { results } = toFirstResults(own, rowOf(ids, 11), scored(ids));
  expect(results).toHaveLength(11);
  expect(results.at(-1)).toMatchObject({ appId: 'own', rank: known(11), isOwn: true, hasIcon: false });
  expect(shown(own, rowOf(others, null), scored(others))).toEqual([others.slice(0, 10), null]);
});

test('without scores, or with those of another page, there are five, and it is said why', () => {
  const five = others.slice(0, 5);
  expect(shown(own, rowOf(others, null), null)).toEqual([five, 'not_scored']);
  expect(shown(own, rowOf(others, null), scored(others, '2026-06-14'))).toEqual([five, 'other_page']);
  expect(shown(own, rowOf(others, null), scored(others, null))).toEqual([five, 'other_page']);
  expect(shown(own, rowOf(others, null), scored(others.toReversed()))).toEqual([five, 'other_page']);
  // The rank is of a page on which the app is elsewhere.
  expect(shown(own, rowOf(withOwnAt(8), 8), scored(withOwnAt(9)))).toEqual([[...five, 'own'], 'other_page']);
});

test('a page with few results is whole without scores, also one that has none', () => {
  const two = ['app.1', 'app.2'];
  expect(shown(own, rowOf(two, null), null)).toEqual([two, null]);
  expect(shown(own, rowOf([], null), scored([]))).toEqual([[], null]);
});
