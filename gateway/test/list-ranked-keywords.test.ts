import {
  TermListQuery_Field as Field,
  type ListRankedKeywordsReply,
} from '@shelfwise/proto/scoring/v1/scoring';
import { storefront } from './harness/sample-replies.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const ask = (fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  api.call(
    'GET',
    `/api/v1/keywords/ranked-by?${new URLSearchParams({ app_id: '9', ...storefront, ...fields })}`,
    {
      headers,
    },
  );

const reply: ListRankedKeywordsReply = {
  terms: [
    {
      term: {
        keyword: 'notes',
        keyword_id: 7,
        is_tracked: true,
        traffic_score: 41,
        is_partial: false,
        difficulty_score: 60,
        kei: 31.4,
        rank_date: '2026-06-15',
        depth: 100,
      },
      rank: 3,
    },
    {
      term: {
        keyword: 'planner',
        is_tracked: false,
        is_partial: true,
        rank_date: '2026-06-08',
        depth: 20,
      },
      rank: 20,
    },
  ],
  total: 2,
  kept: { pages: 2, oldest_page: '2026-06-08', unread: 1, truncated: false },
};

beforeEach(() => {
  api.scoring.answer({ listRankedKeywords: async () => reply });
});

test('each term has its rank and how old and deep its page is; what is unknown is null', async () => {
  expect((await ask()).body).toEqual({
    data: [
      {
        keyword: 'notes',
        keyword_id: 7,
        traffic_score: 41,
        is_partial: false,
        difficulty_score: 60,
        kei: 31.4,
        rank: 3,
        rank_date: '2026-06-15',
        depth: 100,
        stale: false,
        is_tracked: true,
      },
      {
        keyword: 'planner',
        keyword_id: null,
        traffic_score: null,
        is_partial: true,
        difficulty_score: null,
        kei: null,
        rank: 20,
        rank_date: '2026-06-08',
        depth: 20,
        stale: false,
        is_tracked: false,
      },
    ],
    meta: {
      total: 2,
      page: 1,
      per_page: 50,
      total_pages: 1,
      has_more: false,
      pages: 2,
      oldest_page: '2026-06-08',
      unread: 1,
      truncated: false,
      truncated_by: null,
    },
  });
});

test('scoring is asked for the app in the storefront, and for what the query says', async () => {
  await ask({ app_id: 'id281796108', country: 'us', lang: 'EN-us' });
  expect(api.scoring.requests.at(-1)?.request).toEqual({
    account_id: api.accountId,
    storefront,
    app_id: '281796108',
    query: {
      order: Field.UNSPECIFIED,
      descending: false,
      search: null,
      min_traffic: null,
      max_difficulty: null,
      is_tracked: null,
      page: 1,
      per_page: 50,
    },
  });
  await ask({
    sort: '-value',
    tracked: 'no',
    min_traffic: '5',
    max_difficulty: '60',
    search: 'no',
    page: '3',
  });
  expect(api.scoring.requests.at(-1)?.request).toMatchObject({
    query: {
      order: Field.VALUE,
      descending: true,
      search: 'no',
      min_traffic: 5,
      max_difficulty: 60,
      is_tracked: false,
      page: 3,
    },
  });
});

test('it spends one request; a refused call spends none', async () => {
  const { key } = await api.createKey();
  const spent = async () =>
    (await api.call('GET', '/api/v1/account/usage', { key })).body.data.usage.api_requests;
  const path = `/api/v1/keywords/ranked-by?${new URLSearchParams({ app_id: '9', ...storefront })}`;
  api.tracking.answer({ getTotals: async () => ({ apps: 1, keywords: 0, competitors: 0 }) });
  expect(refusalOf(await api.call('GET', `${path}&sort=gain`, { key }))).toBe('400 INVALID_PARAMS');
  expect(await spent()).toBe(0);
  expect((await api.call('GET', path, { key })).status).toBe(200);
  expect(await spent()).toBe(1);
});

test('the CSV has one row per term', async () => {
  expect((await ask({}, { accept: 'text/csv' })).body).toBe(
    [
      'keyword,keyword_id,traffic_score,is_partial,difficulty_score,kei,rank,rank_date,depth,stale,is_tracked',
      'notes,7,41,false,60,31.4,3,2026-06-15,100,false,true',
      'planner,,,true,,,20,2026-06-08,20,false,false',
      '',
    ].join('\r\n'),
  );
});
