import {
  TermListQuery_Field as Field,
  type GapTerm,
  type ListKeywordGapReply,
} from '@shelfwise/proto/scoring/v1/scoring';
import { competitorRelation, listing, trackedListing } from './harness/sample-replies.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/applications/42/keyword-gap';

const relationOf = (id: number, appId: string, title: string | undefined) => ({
  ...competitorRelation,
  id,
  competitor: competitorRelation.competitor && {
    ...competitorRelation.competitor,
    listing: { ...listing, app_id: appId, title },
  },
});
const relations = [relationOf(9, 'b', 'Bear'), relationOf(7, 'a', undefined)];

const complete: GapTerm = {
  term: {
    keyword: 'notes',
    keyword_id: 7,
    is_tracked: true,
    traffic_score: 41,
    is_partial: false,
    difficulty_score: 60,
    kei: 31.4,
    rank_date: '2026-06-14',
    depth: 100,
  },
  own_rank: 57,
  rivals: [
    { app_id: 'a', rank: 1 },
    { app_id: 'b', rank: 10 },
  ],
  relevance: 0.4,
  gain: 0.75,
  value: 23.6,
};
const bare: GapTerm = {
  term: { keyword: 'planner', is_tracked: false, is_partial: true, rank_date: '2026-06-01', depth: 20 },
  rivals: [{ app_id: 'b', rank: 2 }],
};
const reply: ListKeywordGapReply = {
  terms: [complete, bare],
  total: 5,
  kept: { pages: 12, oldest_page: '2026-06-01', unread: 3, truncated: true },
};

beforeEach(() => {
  api.tracking.answer({
    getTrackedListing: async () => ({ listing: trackedListing }),
    listCompetitors: async () => ({ relations, total: 2 }),
  });
  api.scoring.answer({ listKeywordGap: async () => reply });
});

const notes = {
  keyword: 'notes',
  keyword_id: 7,
  traffic_score: 41,
  is_partial: false,
  difficulty_score: 60,
  kei: 31.4,
  relevance: 0.4,
  gain: 0.75,
  own_rank: 57,
  rivals: [
    { app_id: 'a', title: null, rank: 1 },
    { app_id: 'b', title: 'Bear', rank: 10 },
  ],
  is_tracked: true,
  rank_date: '2026-06-14',
  depth: 100,
  stale: false,
  value: 23.6,
};

test('each term has its ranks, the names of the competitors, and its value; what is unknown is null', async () => {
  const { body } = await api.call('GET', `${path}?per_page=2`);
  expect(body).toEqual({
    data: [
      notes,
      {
        keyword: 'planner',
        keyword_id: null,
        traffic_score: null,
        is_partial: true,
        difficulty_score: null,
        kei: null,
        relevance: null,
        gain: null,
        own_rank: null,
        rivals: [{ app_id: 'b', title: 'Bear', rank: 2 }],
        is_tracked: false,
        rank_date: '2026-06-01',
        depth: 20,
        // The week of June 1 to 7 ended more than seven days before June 15.
        stale: true,
        value: null,
      },
    ],
    meta: {
      total: 5,
      page: 1,
      per_page: 2,
      total_pages: 3,
      has_more: true,
      pages: 12,
      oldest_page: '2026-06-01',
      unread: 3,
      truncated: true,
      truncated_by: 'traffic',
      reason: null,
    },
  });
});

test.each([
  [true, '2026-06-14', false],
  [true, '2026-06-13', true],
  [false, '2026-06-08', false],
  [false, '2026-06-01', true],
])('a page that is tracked: %s, of %s, is stale: %s', async (isTracked, day, stale) => {
  const term = { keyword: 'notes', is_tracked: isTracked, is_partial: false, rank_date: day, depth: 20 };
  api.scoring.answer({ listKeywordGap: async () => ({ ...reply, terms: [{ ...bare, term }] }) });
  expect((await api.call('GET', path)).body.data[0].stale).toBe(stale);
});

test('scoring is asked for the listing, its competitors and the limits', async () => {
  const asked = () => api.scoring.requests.at(-1)?.request;
  await api.call('GET', path);
  expect(asked()).toEqual({
    account_id: api.accountId,
    app: { ...trackedListing, unlisted_since: null },
    competitor_app_ids: ['b', 'a'],
    rival_max_rank: 10,
    own_min_rank: 31,
    include_brands: false,
    query: {
      order: Field.UNSPECIFIED,
      descending: false,
      search: null,
      min_traffic: 5,
      max_difficulty: null,
      is_tracked: null,
      page: 1,
      per_page: 50,
    },
  });
  expect(api.tracking.requests.map(({ method }) => method).toSorted()).toEqual([
    'getTrackedListing',
    'listCompetitors',
  ]);
  const query =
    'competitor_ids=7&rival_max_rank=3&own_min_rank=21&min_traffic=0&max_difficulty=70&tracked=no&include_brands=true&sort=-gain&search=note&page=2&per_page=1000';
  await api.call('GET', `${path}?${query}`);
  expect(asked()).toMatchObject({
    competitor_app_ids: ['a'],
    rival_max_rank: 3,
    own_min_rank: 21,
    include_brands: true,
    query: {
      order: Field.GAIN,
      descending: true,
      search: 'note',
      min_traffic: 0,
      max_difficulty: 70,
      is_tracked: false,
      page: 2,
      per_page: 1000,
    },
  });
  await api.call('GET', `${path}?tracked=yes&sort=rank`);
  expect(asked()).toMatchObject({ query: { order: Field.RANK, descending: false, is_tracked: true } });
});

test('of many competitors those added last are compared', async () => {
  const many = Array.from({ length: 7 }, (_, at) => relationOf(9 - at, `app${at}`, 'App'));
  api.tracking.answer({ listCompetitors: async () => ({ relations: many, total: 7 }) });
  await api.call('GET', path);
  expect(api.scoring.requests.at(-1)?.request).toMatchObject({
    competitor_app_ids: ['app0', 'app1', 'app2', 'app3', 'app4'],
  });
});

test('nothing found has a reason', async () => {
  const kept = { pages: 0, unread: 0, truncated: false };
  api.scoring.answer({
    listKeywordGap: async () => ({ terms: [], total: 0, kept, reason: 'no_competitors' }),
  });
  expect((await api.call('GET', path)).body).toMatchObject({
    data: [],
    meta: {
      total: 0,
      pages: 0,
      oldest_page: null,
      truncated: false,
      truncated_by: null,
      reason: 'no_competitors',
    },
  });
});

test('another account’s application, an unknown competitor and limits out of bounds are refused', async () => {
  expect(refusalOf(await api.call('GET', `${path}?competitor_ids=7,8`))).toBe('404 NOT_FOUND');
  for (const wrong of [
    'rival_max_rank=31',
    'own_min_rank=101',
    'competitor_ids=1,2,3,4,5,6',
    'tracked=maybe',
  ])
    expect(refusalOf(await api.call('GET', `${path}?${wrong}`))).toBe('400 INVALID_PARAMS');
  api.scoring.forget();
  api.tracking.fail('getTrackedListing', 'APP_NOT_FOUND');
  expect(refusalOf(await api.call('GET', path))).toBe('404 APP_NOT_FOUND');
  expect(api.scoring.requests).toEqual([]);
});

test('the CSV has one row per term and competitor', async () => {
  const { body } = await api.call('GET', path, { headers: { accept: 'text/csv' } });
  const columns =
    'keyword,keyword_id,traffic_score,is_partial,difficulty_score,kei,relevance,gain,own_rank,is_tracked,rank_date,depth,stale,value,rival_app_id,rival_title,rival_rank';
  expect(body).toBe(
    [
      columns,
      'notes,7,41,false,60,31.4,0.4,0.75,57,true,2026-06-14,100,false,23.6,a,,1',
      'notes,7,41,false,60,31.4,0.4,0.75,57,true,2026-06-14,100,false,23.6,b,Bear,10',
      'planner,,,true,,,,,,false,2026-06-01,20,true,,b,Bear,2',
      '',
    ].join('\r\n'),
  );
});
