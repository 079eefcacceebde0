import { KeywordOrder_Field as Field, type ListRankMatrixReply } from '@shelfwise/proto/tracking/v1/tracking';
import { plansWith } from './harness/plans-with.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway({ plans: plansWith({ week: { historical_data_days: 7 } }) });
const path = '/api/v1/applications/42/rank-matrix';

const scores = { traffic_score: 41, is_partial: true, difficulty_score: 60 };
const reply: ListRankMatrixReply = {
  apps: [
    { app_id: '281796108', title: 'Evernote' },
    { app_id: '9', competitor_id: 5 },
  ],
  rows: [
    {
      keyword_id: 7,
      keyword: 'notes',
      ...scores,
      rank_date: '2026-06-15',
      depth: 100,
      ranks: [{ rank: 3, delta: -2 }, {}],
    },
    {
      keyword_id: 8,
      keyword: 'planner',
      is_partial: false,
      rank_date: '2026-06-10',
      depth: 30,
      ranks: [{}, { rank: 1 }],
    },
  ],
  total: 5,
};

beforeEach(() => {
  api.tracking.answer({ listRankMatrix: async () => reply });
});

const own = { app_id: '281796108' };
const notes = {
  keyword_id: 7,
  keyword: 'notes',
  ...scores,
  rank_date: '2026-06-15',
  stale: false,
  depth: 100,
};

test('each row has a rank of each app, and says what it is worth', async () => {
  const { body } = await api.call('GET', `${path}?per_page=2`);
  expect(body).toEqual({
    data: {
      apps: [
        { ...own, title: 'Evernote', is_own: true, competitor_id: null },
        { app_id: '9', title: null, is_own: false, competitor_id: 5 },
      ],
      rows: [
        {
          ...notes,
          ranks: [
            { ...own, rank: 3, state: 'ranked', delta: -2 },
            { app_id: '9', rank: null, state: 'not_ranked', delta: null },
          ],
        },
        {
          keyword_id: 8,
          keyword: 'planner',
          traffic_score: null,
          is_partial: false,
          difficulty_score: null,
          rank_date: '2026-06-10',
          stale: true,
          depth: 30,
          ranks: [
            { ...own, rank: null, state: 'stale', delta: null },
            { app_id: '9', rank: 1, state: 'stale', delta: null },
          ],
        },
      ],
    },
    meta: {
      total: 5,
      page: 1,
      per_page: 2,
      total_pages: 3,
      has_more: true,
      pages: 2,
      oldest_page: '2026-06-10',
      unread: 0,
      truncated: false,
    },
  });
});

test('tracking is asked for the same list as that of the keywords', async () => {
  await api.call('GET', path);
  const asked = { account_id: api.accountId, app_id: 42, oldest_day: '2025-05-11' };
  const all = { favorites_only: false, page: 1, per_page: 1000, days: 7, competitor_ids: [] };
  expect(api.tracking.requests.at(-1)?.request).toMatchObject({ ...asked, ...all });
  const query =
    'days=30&competitor_ids=9,7&favorites=true&sort=-delta&search=no&min_traffic=5&page=2&per_page=3';
  await api.call('GET', `${path}?${query}`);
  expect(api.tracking.requests.at(-1)?.request).toMatchObject({
    ...asked,
    favorites_only: true,
    order: { field: Field.DELTA, descending: true },
    search: 'no',
    min_traffic: 5,
    page: 2,
    per_page: 3,
    days: 30,
    competitor_ids: [9, 7],
  });
});

test('without rows there is no oldest page', async () => {
  api.tracking.answer({ listRankMatrix: async () => ({ apps: [], rows: [], total: 0 }) });
  expect((await api.call('GET', path)).body.meta).toEqual({
    total: 0,
    has_more: false,
    pages: 0,
    oldest_page: null,
    unread: 0,
    truncated: false,
  });
});

test('more than five competitors, and more days than the plan has, are refused', async () => {
  expect(refusalOf(await api.call('GET', `${path}?competitor_ids=1,2,3,4,5,6`))).toBe('400 INVALID_PARAMS');
  const { key } = await api.createKey('week');
  expect((await api.call('GET', path, { key })).status).toBe(200);
  const { status, body } = await api.call('GET', `${path}?days=8`, { key });
  expect([status, body.error]).toEqual([403, 'Your plan includes 7 days of history. Request fewer days.']);
});

test('the CSV has one row per keyword and app', async () => {
  const { body } = await api.call('GET', path, { headers: { accept: 'text/csv' } });
  const columns =
    'keyword_id,keyword,traffic_score,is_partial,difficulty_score,rank_date,stale,depth,app_id,rank,state,delta';
  expect(body).toBe(
    [
      columns,
      '7,notes,41,true,60,2026-06-15,false,100,281796108,3,ranked,-2',
      '7,notes,41,true,60,2026-06-15,false,100,9,,not_ranked,',
      '8,planner,,false,,2026-06-10,true,30,281796108,,stale,',
      '8,planner,,false,,2026-06-10,true,30,9,1,stale,',
      '',
    ].join('\r\n'),
  );
});
