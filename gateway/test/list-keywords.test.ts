import type { Keyword } from '@shelfwise/proto/tracking/v1/tracking';
import { trackedKeyword as keyword, rankedApp } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/keywords';

function answerWith(keywords: Keyword[], total = keywords.length) {
  api.tracking.answer({ listKeywords: async () => ({ keywords, total }) });
}

test('a tracked keyword shows its rank, its neighbors and the top 5', async () => {
  answerWith([keyword]);
  const { body } = await api.call('GET', path);
  const { snapshot_depth: _, ...row } = keyword;
  expect(body).toEqual({
    data: [
      {
        ...row,
        tracked_since: '2026-06-01T08:00:00.000Z',
        rank_date: '2026-06-15',
        stale: false,
        scored_at: '2026-06-15T06:00:00.000Z',
        result_count: 100,
      },
    ],
    meta: { total: 1, has_more: false },
  });
});

test('a number of ratings that is not known is null', async () => {
  answerWith([{ ...keyword, ranking: [{ ...rankedApp('1'), rank: 1 }] }]);
  const { body } = await api.call('GET', path);
  expect(body.data[0].ranking).toEqual([{ ...rankedApp('1'), rank: 1, ratings: null }]);
});

test.each<[string, Partial<Keyword>]>([
  ['unmeasured score is null', { difficulty_score: null, traffic_score: null }],
  ['missing rank is null', { current_rank: null, ahead: null, behind: null, ranking: [] }],
  ['measured 0 stays 0', { difficulty_score: 0, traffic_score: 0, is_favorite: false }],
])('an %s, never absent', async (_what, values) => {
  answerWith([{ ...keyword, ...values }]);
  expect((await api.call('GET', path)).body.data[0]).toMatchObject(values);
});

test('a rank of before yesterday is stale', async () => {
  answerWith([
    { ...keyword, snapshot_date: '2026-06-14' },
    { ...keyword, snapshot_date: '2026-06-13', scored_at: null },
  ]);
  const { body } = await api.call('GET', path);
  expect(body.data).toMatchObject([
    { rank_date: '2026-06-14', stale: false },
    { rank_date: '2026-06-13', stale: true, scored_at: null },
  ]);
});

test('a list without paging has up to 1000 rows and says whether there are more', async () => {
  answerWith([keyword], 1001);
  const { body } = await api.call('GET', path);
  expect(body.meta).toEqual({ total: 1001, has_more: true });
  expect(api.tracking.requests[0]?.request).toEqual({
    account_id: api.accountId,
    app_id: null,
    favorites_only: false,
    page: 1,
    per_page: 1000,
    order: null,
    search: null,
    min_traffic: null,
    max_difficulty: null,
    oldest_day: null,
  });
  answerWith([keyword], 1000);
  expect((await api.call('GET', path)).body.meta).toEqual({ total: 1000, has_more: false });
});

test.each([
  ['page=2', { page: 2, per_page: 200, total_pages: 3, has_more: true }],
  ['page=3', { page: 3, per_page: 200, total_pages: 3, has_more: false }],
  ['per_page=1000', { page: 1, per_page: 1000, total_pages: 1, has_more: false }],
  ['page=9&per_page=50', { page: 9, per_page: 50, total_pages: 9, has_more: false }],
  ['page=99&per_page=50', { page: 99, per_page: 50, total_pages: 9, has_more: false }],
])('%s turns paging on, and meta describes the page', async (query, meta) => {
  answerWith([], 401);
  const { body } = await api.call('GET', `${path}?${query}`);
  expect(body.meta).toEqual({ total: 401, ...meta });
  expect(api.tracking.requests[0]?.request).toMatchObject({ page: meta.page, per_page: meta.per_page });
});

test('an empty list has no pages', async () => {
  answerWith([]);
  const { body } = await api.call('GET', `${path}?page=1`);
  expect(body).toEqual({
    data: [],
    meta: { total: 0, page: 1, per_page: 200, total_pages: 0, has_more: false },
  });
});

test('app_id and favorites reach the service', async () => {
  answerWith([]);
  await api.call('GET', `${path}?app_id=42&favorites=true`);
  await api.call('GET', `${path}?favorites=false`);
  expect(api.tracking.requests.map(({ request }) => request)).toMatchObject([
    { app_id: 42, favorites_only: true },
    { app_id: null, favorites_only: false },
  ]);
});

test.each([
  ['keyword', { field: 'KEYWORD', descending: false }],
  ['-rank', { field: 'RANK', descending: true }],
  ['-traffic', { field: 'TRAFFIC', descending: true }],
  ['difficulty', { field: 'DIFFICULTY', descending: false }],
])('sort=%s reaches the service, without a day of the history', async (sort, order) => {
  answerWith([keyword]);
  const { body } = await api.call('GET', `${path}?sort=${sort}`);
  expect(api.tracking.requests[0]?.request).toMatchObject({ order, oldest_day: null });
  expect(body.data[0]).not.toHaveProperty('delta');
  expect(body.data[0]).not.toHaveProperty('delta_since');
});

test('with sort=-delta rows show their movement, null when there is none', async () => {
  answerWith([
    { ...keyword, delta: -5, delta_since: '2026-06-14' },
    { ...keyword, delta: 0, delta_since: '2026-06-01' },
    { ...keyword, delta: null, delta_since: null },
  ]);
  const { body } = await api.call('GET', `${path}?sort=-delta`);
  const { request } = api.tracking.requests[0] ?? {};
  // 400 days before the test's clock.
  expect(request).toMatchObject({ order: { field: 'DELTA', descending: true }, oldest_day: '2025-05-11' });
  expect(body.data.map((row: typeof keyword) => [row.delta, row.delta_since])).toEqual([
    [-5, '2026-06-14'],
    [0, '2026-06-01'],
    [null, null],
  ]);
});

test('filters reach the service; an empty search is none', async () => {
  answerWith([]);
  await api.call('GET', `${path}?search=50%25+OFF&min_traffic=0&max_difficulty=100`);
  await api.call('GET', `${path}?search=`);
  expect(api.tracking.requests.map(({ request }) => request)).toMatchObject([
    { search: '50% OFF', min_traffic: 0, max_difficulty: 100 },
    { search: null, min_traffic: null, max_difficulty: null },
  ]);
});

const sortMessage =
  'must be keyword or -keyword or rank or -rank or traffic or -traffic or difficulty or -difficulty or delta or -delta';
test.each([
  ['sort', 'title', sortMessage],
  ['sort', '--rank', sortMessage],
  ['sort', 'RANK', sortMessage],
  ['search', 'x'.repeat(101), 'must have at most 100 characters'],
  ['min_traffic', '101', 'must be a whole number from 0 to 100'],
  ['min_traffic', '-1', 'must be a whole number from 0 to 100'],
  ['max_difficulty', '1.5', 'must be a whole number from 0 to 100'],
  ['max_difficulty', '', 'must be a whole number from 0 to 100'],
])('%s=%s is refused, and the message names what is allowed', async (field, value, message) => {
  const { status, body } = await api.call('GET', `${path}?${field}=${value}`);
  expect([status, body.code, body.details.issues.fieldErrors]).toEqual([
    400,
    'INVALID_PARAMS',
    { [field]: [message] },
  ]);
});

test('an unknown parameter is ignored, and named in the meta', async () => {
  answerWith([]);
  const { status, body } = await api.call('GET', `${path}?order=rank&page=1`);
  expect([status, body.meta]).toMatchObject([200, { total: 0, warnings: ['unknown_parameter: order'] }]);
});

test('where a store shows fewer than 100 results, meta contains the depth of each snapshot', async () => {
  answerWith([
    { ...keyword, snapshot_depth: 30 },
    { ...keyword, app_id: 43, snapshot_depth: 30 },
    { ...keyword, keyword_id: 8 },
    { ...keyword, keyword_id: 9, snapshot_depth: 0 },
  ]);
  const depths = [
    { keyword_id: 7, depth: 30 },
    { keyword_id: 9, depth: 0 },
  ];
  expect((await api.call('GET', path)).body.meta.snapshot_depths).toEqual(depths);
  expect((await api.call('GET', `${path}?page=1`)).body.meta.snapshot_depths).toEqual(depths);
});

test('rank data that cannot be read is an error, never a partial list', async () => {
  answerWith([keyword, { ...keyword, tracked_since: null }]);
  expect(await api.call('GET', path)).toMatchObject({ status: 500, body: { code: 'INTERNAL_ERROR' } });
});
