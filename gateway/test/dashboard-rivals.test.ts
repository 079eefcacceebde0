import { known, unknown } from '@shelfwise/dashboard/figure';
import type { PageData } from '@shelfwise/dashboard/page-data';
import type { GetShareOfVoiceReply, ListKeywordGapReply } from '@shelfwise/proto/scoring/v1/scoring';
import type { ListRankMatrixReply } from '@shelfwise/proto/tracking/v1/tracking';
import { createDashboardPages } from '../src/dashboard/pages/dashboard-pages.ts';
import type { StoreState } from '../src/dashboard/store-state.ts';
import { openBrowser } from './harness/browser.ts';
import { pageHead } from './harness/page-head.ts';
import { plansWith } from './harness/plans-with.ts';
import { competitorRelation, trackedListing } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const troubles: StoreState['troubles'] = [];
const api = useGateway({
  plans: plansWith({ day: { historical_data_days: 1 } }),
  dashboard: {
    publicUrl: undefined,
    createPages: createDashboardPages({
      assets: {
        head: pageHead(),
        recall: () => null,
        find: async () => null,
      },
      readStoreState: async () => ({ isSample: true, troubles }),
      listSessions: async () => [],
      listConnections: async () => [],
      canAssistantsConnect: false,
      findDraft: async () => null,
      publicUrl: () => 'https://aso.example.com',
      now: () => new Date('2026-06-15T12:00:00Z'),
    }),
  },
});

const own = '281796108';
const rival = competitorRelation.competitor.listing.app_id;
const path = '/apps/42/rivals';
const matrixReply: ListRankMatrixReply = {
  apps: [
    { app_id: own, title: 'Evernote' },
    { app_id: rival, title: 'Rival Notes', competitor_id: 5 },
  ],
  rows: [
    {
      keyword_id: 7,
      keyword: 'notes',
      traffic_score: 41,
      is_partial: true,
      difficulty_score: 60,
      rank_date: '2026-06-15',
      depth: 100,
      ranks: [
        { rank: 3, delta: -2 },
        { rank: 2, delta: 0 },
      ],
    },
    {
      keyword_id: 8,
      keyword: 'planner',
      is_partial: false,
      rank_date: '2026-06-12',
      depth: 30,
      ranks: [{ rank: 9 }, {}],
    },
    {
      keyword_id: 9,
      keyword: 'memo',
      is_partial: false,
      rank_date: '2026-06-15',
      depth: 12,
      ranks: [{}, {}],
    },
  ],
  total: 3,
};

const voiceReply: GetShareOfVoiceReply = {
  date: '2026-06-15',
  oldest_page: '2026-06-14',
  terms: 12,
  terms_read: 11,
  apps: [
    { app_id: '9', title: 'A large app', is_own: false, is_competitor: false, share: 0.4, change_7d: 0 },
    { app_id: rival, is_own: false, is_competitor: true, share: 0.2251, change_7d: -0.013 },
    { app_id: own, is_own: true, is_competitor: false, share: 0.1 },
  ],
  others: 0.2749,
  basket: [],
  history: [
    {
      date: '2026-06-14',
      terms: 12,
      terms_read: 5,
      apps: [{ app_id: own }, { app_id: rival }],
    },
    {
      date: '2026-06-15',
      terms: 12,
      terms_read: 11,
      apps: [
        { app_id: own, share: 0.1, visibility: 41.8 },
        { app_id: rival, share: 0.2251, visibility: 0 },
      ],
    },
  ],
};

const tracked = {
  keyword: 'memo',
  keyword_id: 9,
  is_tracked: true,
  traffic_score: 30,
  is_partial: true,
  rank_date: '2026-06-12',
  depth: 100,
};
const gapReply: ListKeywordGapReply = {
  terms: [
    {
      term: {
        keyword: 'quick notes',
        is_tracked: false,
        traffic_score: 41,
        is_partial: false,
        difficulty_score: 30,
        kei: 52.5,
        rank_date: '2026-06-15',
        depth: 20,
      },
      rivals: [{ app_id: rival, rank: 3 }],
      relevance: 0.62,
      gain: 0.8,
      value: 42,
    },
    { term: tracked, own_rank: 45, rivals: [{ app_id: rival, rank: 9 }] },
  ],
  total: 201,
  kept: { pages: 12, oldest_page: '2026-06-08', unread: 2, truncated: false },
};

/** As many competitors, each with its own id from 5. */
const relations = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    ...competitorRelation,
    id: 5 + at,
    competitor: {
      ...competitorRelation.competitor,
      listing: { ...competitorRelation.competitor.listing, app_id: at === 0 ? rival : `${rival}${at}` },
    },
  }));

beforeEach(() => {
  troubles.length = 0;
  api.tracking.answer({
    listApplications: async () => ({
      applications: [{ listing: trackedListing, keyword_count: 3, aso_health: null }],
      total: 1,
    }),
    listCompetitors: async () => ({ relations: relations(1), total: 1 }),
    listRankMatrix: async () => matrixReply,
    getTrackedListing: async () => ({ listing: trackedListing }),
    listChanges: async () => ({ changes: [], total: 0, truncated: false }),
    listNotes: async () => ({
      notes: [{ id: 3, date: '2026-06-14', text: 'Ads began', created_at: new Date('2026-06-14T09:00:00Z') }],
      total: 1,
    }),
  });
  api.scoring.answer({ getShareOfVoice: async () => voiceReply, listKeywordGap: async () => gapReply });
});

async function open(address = path, plan = 'unlimited') {
  const { key } = await api.createKey(plan);
  const browser = openBrowser(api);
  await browser.signInByKey(key);
  api.tracking.requests.length = 0;
  api.scoring.requests.length = 0;
  const { status, body } = await browser.sendAs({ accept: 'application/json' }, 'GET', address);
  return { status, key, ...(body as Extract<PageData, { page: 'rivals' }>) };
}
const askedFor = (method: string) =>
  api.tracking.requests.filter((one) => one.method === method).map(({ request }) => request);

test('the matrix has the rank of each app by keyword, with its state, its change and the best of the row', async () => {
  const { status, model, frame } = await open();
  expect(status).toBe(200);
  expect(frame).toMatchObject({ appId: '42', rankDays: { oldest: '2026-06-12', newest: '2026-06-15' } });
  expect(model).toMatchObject({
    rivals: [{ id: '5', appId: rival, title: 'Rival Notes', isCompared: true }],
    days: '7',
    missing: { rivals: null, matrix: null },
  });
  expect(model.matrix).toEqual({
    apps: [
      { appId: own, title: 'Evernote', isOwn: true },
      { appId: rival, title: 'Rival Notes', isOwn: false },
    ],
    rows: [
      {
        id: '7',
        keyword: 'notes',
        traffic: { state: 'partial', value: 41 },
        difficulty: { state: 'known', value: 60 },
        ranks: [
          { rank: { state: 'known', value: 3 }, change: { state: 'known', value: -2 } },
          { rank: { state: 'known', value: 2 }, change: { state: 'known', value: 0 } },
        ],
        bestId: rival,
        day: '2026-06-15',
      },
      {
        id: '8',
        keyword: 'planner',
        traffic: { state: 'pending' },
        difficulty: { state: 'pending' },
        ranks: [
          { rank: { state: 'stale', value: 9, day: '2026-06-12' }, change: null },
          { rank: { state: 'not_ranked', depth: 30, day: '2026-06-12' }, change: null },
        ],
        bestId: own,
        day: '2026-06-12',
      },
      expect.objectContaining({
        ranks: Array(2).fill({ rank: { state: 'not_ranked', depth: 12, day: null }, change: null }),
        bestId: null,
      }),
    ],
    total: { state: 'known', value: 3 },
    pages: null,
  });
});

test('while its store is blocked, a rank of before today says so', async () => {
  troubles.push({ store: 'ITUNES', blockedSince: '2026-06-15T03:00:00.000Z', nextTryAt: null });
  const { model } = await open();
  expect(model.matrix?.rows[1]).toMatchObject({
    traffic: { state: 'blocked' },
    ranks: [{ rank: { state: 'blocked', value: 9, day: '2026-06-12' } }, {}],
  });
  expect(model.matrix?.rows[0]).toMatchObject({ ranks: [{ rank: { state: 'known' } }, {}] });
});

test('the address names the period, the page and the competitors; those that are none are left out', async () => {
  api.tracking.answer({
    listCompetitors: async () => ({ relations: relations(7), total: 7 }),
    listRankMatrix: async () => ({ ...matrixReply, total: 2001 }),
  });
  const { model } = await open(`${path}?days=30&page=2&rivals=11,99,6`);
  expect(askedFor('listRankMatrix')).toMatchObject([
    { app_id: 42, days: 30, page: 2, per_page: 1000, competitor_ids: [11, 6] },
  ]);
  expect(model.days).toBe('30');
  expect(model.matrix?.pages).toEqual({ at: '2', count: '3', previous: '1', next: '3' });
  expect(model.rivals?.filter(({ isCompared }) => isCompared).map(({ id }) => id)).toEqual(['6', '11']);
  await open(`${path}?days=5&page=x&rivals=99`);
  expect(askedFor('listRankMatrix')).toMatchObject([{ days: 7, page: 1, competitor_ids: [5, 6, 7, 8, 9] }]);
});

test('an app without competitors is compared with none', async () => {
  api.tracking.answer({ listCompetitors: async () => ({ relations: [], total: 0 }) });
  const { model } = await open();
  const missing = { rivals: null, matrix: null, gap: null, voice: null };
  expect(model).toMatchObject({ rivals: [], matrix: null, gap: null, missing });
  expect(askedFor('listRankMatrix')).toEqual([]);
});

test('competitors that cannot be read are unknown, not none, and the matrix is there', async () => {
  api.tracking.fail('listCompetitors', 'SERVICE_UNAVAILABLE');
  const { status, model } = await open();
  expect(status).toBe(200);
  expect(model).toMatchObject({ rivals: null, missing: { rivals: 'no_answer', matrix: null } });
  expect(model.matrix?.rows).toHaveLength(3);
  expect(askedFor('listRankMatrix')).toMatchObject([{ competitor_ids: [] }]);
});

test('a matrix that cannot be read says why', async () => {
  api.tracking.fail('listRankMatrix', 'SERVICE_UNAVAILABLE');
  expect((await open()).model).toMatchObject({ matrix: null, missing: { matrix: 'no_answer' } });
  expect((await open(path, 'day')).model).toMatchObject({ matrix: null, missing: { matrix: 'not_in_plan' } });
});

test('the share of voice has the largest apps, the own one and its competitors, in percent', async () => {
  const { model } = await open();
  const unread = unknown('too_little_read');
  expect(model.voice).toEqual({
    day: '2026-06-15',
    terms: known(12),
    termsRead: known(11),
    apps: [
      { appId: '9', title: 'A large app', mark: null, share: known(40), change: known(0) },
      { appId: rival, title: 'Rival Notes', mark: 'rival', share: known(22.5), change: known(-1.3) },
      {
        appId: own,
        title: 'Evernote',
        mark: 'own',
        share: known(10),
        change: unknown('no_earlier_day'),
      },
    ],
    others: known(27.5),
    days: ['2026-06-14', '2026-06-15'],
    lines: [
      {
        appId: own,
        title: 'Evernote',
        isOwn: true,
        shares: [unread, known(10)],
        visibilities: [unread, known(41.8)],
      },
      {
        appId: rival,
        title: 'Rival Notes',
        isOwn: false,
        shares: [unread, known(22.5)],
        visibilities: [unread, known(0)],
      },
    ],
  });
});

test('notes and own changes of the listing come with them, for the marks of the charts', async () => {
  const { model } = await open();
  expect(model.timeline).toEqual({
    notes: [{ id: '3', day: '2026-06-14', text: 'Ads began' }],
    changes: [],
  });
  expect(askedFor('listChanges')).toMatchObject([{ app_id: 42, competitors: false }]);
});

test('the race of visibility comes with the shares: one call, and why a day has none', async () => {
  const [, day] = voiceReply.history;
  const few = { ...day, date: '2026-06-15', terms: 4, terms_read: 4, apps: [{ app_id: own, share: 0.1 }] };
  api.scoring.answer({ getShareOfVoice: async () => ({ ...voiceReply, history: [few] }) });
  const { model } = await open();
  expect(api.scoring.requests.filter(({ method }) => method === 'getShareOfVoice')).toMatchObject([
    { request: { with_visibility: true } },
  ]);
  expect(model.voice?.lines[0]).toMatchObject({
    shares: [known(10)],
    visibilities: [unknown('too_few_terms')],
  });
});

test('a share of less than a tenth of a percent is not 0', async () => {
  const [app] = voiceReply.apps;
  const apps = [0.00034, 0.00051, 0].map((share) => ({ ...app, share }) as (typeof voiceReply.apps)[number]);
  api.scoring.answer({ getShareOfVoice: async () => ({ ...voiceReply, apps }) });
  expect((await open()).model.voice?.apps.map(({ share }) => share)).toEqual([
    known(0.03),
    known(0.1),
    known(0),
  ]);
});

test('a share that is not known is not 0, and a service that does not answer leaves the rest', async () => {
  const { date: _, ...nothing } = voiceReply;
  const apps = [{ app_id: own, is_own: true, is_competitor: false }];
  api.scoring.answer({
    getShareOfVoice: async () => ({ ...nothing, terms_read: 0, apps, others: undefined, history: [] }),
  });
  expect((await open()).model.voice).toMatchObject({
    day: null,
    termsRead: { value: 0 },
    apps: [{ share: { state: 'unknown', reason: 'too_little_read' } }],
    others: { state: 'unknown' },
    days: [],
  });
  api.scoring.failAll('SERVICE_UNAVAILABLE');
  const { model } = await open();
  expect(model).toMatchObject({
    voice: null,
    gap: null,
    missing: { voice: 'no_answer', gap: 'no_answer', matrix: null },
  });
  expect(model.matrix?.rows).toHaveLength(3);
});

test('the gap has the terms for which competitors rank, with what is not known of them', async () => {
  const { model } = await open();
  expect(model.missing.gap).toBeNull();
  expect(model.gap).toEqual({
    rows: [
      {
        keyword: 'quick notes',
        keywordId: null,
        isTracked: false,
        traffic: known(41),
        difficulty: known(30),
        kei: known(52.5),
        ownRank: { state: 'not_ranked', depth: 20, day: null },
        rivals: [{ appId: rival, title: 'Rival Notes', rank: known(3) }],
        gain: known(0.8),
        value: known(42),
        day: '2026-06-15',
      },
      {
        keyword: 'memo',
        keywordId: '9',
        isTracked: true,
        traffic: { state: 'partial', value: 30 },
        difficulty: { state: 'pending' },
        kei: { state: 'pending' },
        ownRank: { state: 'stale', value: 45, day: '2026-06-12' },
        rivals: [
          { appId: rival, title: 'Rival Notes', rank: { state: 'stale', value: 9, day: '2026-06-12' } },
        ],
        gain: unknown('too_little_read'),
        value: unknown('too_little_read'),
        day: '2026-06-12',
      },
    ],
    reason: null,
    kept: {
      pages: known(12),
      oldestDay: '2026-06-08',
      unread: known(2),
      isTruncated: false,
      hasMore: true,
    },
  });
});

test('the address narrows the gap; a limit that is none is the first one', async () => {
  const limits = () =>
    api.scoring.requests.find(({ method }) => method === 'listKeywordGap')?.request as object;
  await open(`${path}?rival_max_rank=5&own_min_rank=21&min_traffic=0`);
  expect(limits()).toMatchObject({
    competitor_app_ids: [rival],
    rival_max_rank: 5,
    own_min_rank: 21,
    query: { min_traffic: 0, per_page: 200 },
  });
  await open(`${path}?rival_max_rank=31&own_min_rank=0&min_traffic=x`);
  expect(limits()).toMatchObject({ rival_max_rank: 10, own_min_rank: 11, query: { min_traffic: 5 } });
});

test('a gap without terms says why', async () => {
  const none: ListKeywordGapReply = { ...gapReply, terms: [], total: 0, reason: 'too_shallow' };
  api.scoring.answer({ listKeywordGap: async () => none });
  expect((await open()).model.gap).toMatchObject({
    rows: [],
    reason: 'too_shallow',
    kept: { hasMore: false },
  });
});

test('an app without competitors still has its share of voice', async () => {
  api.tracking.answer({ listCompetitors: async () => ({ relations: [], total: 0 }) });
  const { model } = await open();
  expect(model.missing.voice).toBeNull();
  expect(model.voice?.lines).toMatchObject([{ appId: own }]);
});

test('an app that the account does not track has no page', async () => {
  expect((await open('/apps/7/rivals')).status).toBe(404);
});

test('looking spends no API request, and takes one call of each kind, whatever the rows and parts', async () => {
  const { key } = await open();
  expect(api.tracking.requests.map(({ method }) => method).toSorted()).toEqual([
    'getTrackedListing',
    'listApplications',
    'listChanges',
    'listCompetitors',
    'listNotes',
    'listRankMatrix',
  ]);
  const ofScoring = api.scoring.requests.map(({ method }) => method).toSorted();
  expect(ofScoring).toEqual(['getShareOfVoice', 'listKeywordGap']);
  api.tracking.answer({ getTotals: async () => ({ apps: 1, keywords: 0, competitors: 1 }) });
  const { body } = await api.call('GET', '/api/v1/account/usage', { key });
  expect(body.data.usage.api_requests).toBe(0);
});
