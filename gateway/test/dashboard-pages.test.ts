import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync } from 'node:zlib';
import { type Figure, known, unknown } from '@shelfwise/dashboard/figure';
import type { PageData, StoreTrouble } from '@shelfwise/dashboard/page-data';
import { assetOf } from '@shelfwise/dashboard/server/assets';
import {
  KeywordOrder_Field as Field,
  type Keyword,
  Mover_Status as Status,
} from '@shelfwise/proto/tracking/v1/tracking';
import { createDashboardPages } from '../src/dashboard/pages/dashboard-pages.ts';
import { openBrowser } from './harness/browser.ts';
import { pageHead } from './harness/page-head.ts';
import { asoReport, keywordScoresReply, trackedKeyword, trackedListing } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const troubles: StoreTrouble[] = [];
const script = assetOf('main-AAAAAAAA.js', Buffer.from('1'));
const api = useGateway({
  trustProxy: 1,
  dashboard: {
    publicUrl: undefined,
    createPages: createDashboardPages({
      assets: {
        head: pageHead(),
        recall: (name) => (name === 'main-AAAAAAAA.js' ? script : null),
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

const asoHealth = {
  global: 70,
  coverage: 60,
  targeting: 80,
  appeal: 75,
  tier: 2,
  computed_at: new Date('2026-06-15T06:00:00Z'),
  pending_at: null,
  scoring_version: 4,
  is_partial: false,
};
const moved = { from_date: '2026-06-08', to_date: '2026-06-15', from_depth: 100, to_depth: 100 };
const distributionReply = {
  app_id: 42,
  app_title: 'Evernote',
  history: [
    {
      date: '2026-06-15',
      tracked: 2,
      rank_1: 0,
      rank_2_3: 1,
      rank_4_10: 0,
      rank_11_30: 0,
      rank_31_100: 0,
      not_ranked: 1,
      unread: 0,
    },
  ],
};
const unranked = { ...trackedKeyword, keyword_id: 8, keyword: 'mood', snapshot_depth: 37 };

const blockedStore: StoreTrouble = {
  store: 'ITUNES',
  blockedSince: '2026-06-15T03:00:00.000Z',
  nextTryAt: null,
};

beforeEach(() => {
  troubles.length = 0;
  api.tracking.answer({
    listApplications: async () => ({
      applications: [{ listing: trackedListing, keyword_count: 2, aso_health: asoHealth }],
      total: 1,
    }),
    listKeywords: async () => ({
      keywords: [
        trackedKeyword,
        { ...unranked, current_rank: undefined, ahead: null, behind: null, traffic_score: undefined },
      ],
      total: 2,
    }),
    listMovers: async () => ({
      movers: [
        {
          ...moved,
          keyword_id: 7,
          keyword: 'habit tracker',
          rank_before: 5,
          rank_now: 2,
          delta: 3,
          status: Status.UP,
        },
      ],
      totals: { up: 1, down: 0, same: 0, entered: 0, left: 0 },
      unread: 1,
      latest: distributionReply.history[0],
    }),
    listRankHistories: async () => ({
      keywords: [
        {
          keyword_id: 7,
          keyword: 'habit tracker',
          apps: [
            {
              app_id: '281796108',
              title: 'Evernote',
              is_own: true,
              history: [{ date: '2026-06-14', rank: 5 }, { date: '2026-06-15' }],
            },
            { app_id: '5', title: 'A rival', is_own: false, history: [{ date: '2026-06-15', rank: 3 }] },
          ],
        },
      ],
      total: 1,
    }),
    getRankDistribution: async () => distributionReply,
    getKeyword: async () => ({
      keyword_id: 7,
      keyword: 'habit tracker',
      storefront: { store: 'ITUNES' as const, country: 'US', lang: 'en-US' },
      is_tracked: true,
    }),
    getTrackedListing: async () => ({ listing: trackedListing }),
    getTotals: async () => ({ apps: 1, keywords: 2, competitors: 0 }),
  });
  api.scoring.answer({ getKeywordScores: async () => keywordScoresReply });
  api.scoring.fail('getAsoHealth', 'SERVICE_UNAVAILABLE');
  api.scoring.answer({
    getScoreHistory: async () => ({ history: [] }),
    listVisibilityDays: async ({ app_ids: ids }) => ({
      listings: ids.map((id) => ({ app_id: id, days: [], reason: 'basket_too_small' })),
    }),
  });
});

async function signIn(plan = 'unlimited') {
  const { key, id } = await api.createKey(plan);
  const browser = openBrowser(api);
  await browser.signInByKey(key);
  return { browser, id };
}

/** The data inside the HTML of a page. */
async function open(path: string, browser?: Awaited<ReturnType<typeof signIn>>['browser']) {
  const visitor = browser ?? (await signIn()).browser;
  const answer = await visitor.sendAs({ accept: 'text/html' }, 'GET', path);
  const [, json = 'null'] = /id="data">([^<]*)</.exec(String(answer.body)) ?? [];
  return { ...answer, data: JSON.parse(json) as PageData };
}

test('the overview counts the keywords of each app by their ranks', async () => {
  const { status, data } = await open('');
  expect(status).toBe(200);
  expect(data).toMatchObject({
    page: 'overview',
    frame: {
      isSample: true,
      today: '2026-06-15',
      apps: [{ id: '42', storeId: '281796108', hasIcon: true }],
      appId: null,
    },
    model: {
      rows: [
        {
          health: { state: 'known', value: 70 },
          tier: '2',
          keywords: { state: 'known', value: 2 },
          top3: { state: 'known', value: 1 },
          top30: { state: 'known', value: 1 },
        },
      ],
      suggestions: [],
    },
  });
});

test.each([
  [
    'known',
    [
      { date: '2026-06-13', score: 0 },
      { date: '2026-06-15', score: 61.8 },
    ],
    known(61.8),
    '0,,61.8',
  ],
  ['stale', [{ date: '2026-06-13', score: 40 }], { state: 'stale', value: 40, day: '2026-06-13' }, '40,,'],
])('the visibility of an app is %s, and a day without one is a gap', async (_, days, newest, end) => {
  api.scoring.answer({
    listVisibilityDays: async () => ({ listings: [{ app_id: 42, days, reason: null }] }),
  });
  const { model } = (await open('')).data as Extract<PageData, { page: 'overview' }>;
  const byDay = { from: '2026-05-16', to: '2026-06-15', values: `${','.repeat(28)}${end}` };
  expect(model.rows[0]?.visibility).toEqual({ newest, byDay });
});

test('without a visibility an app says why, and never 0', async () => {
  const visibilityOf = async () =>
    ((await open('')).data as Extract<PageData, { page: 'overview' }>).model.rows[0]?.visibility;
  expect(await visibilityOf()).toEqual({ newest: unknown('too_few_terms'), byDay: null });
  api.scoring.answer({
    listVisibilityDays: async () => ({ listings: [{ app_id: 42, days: [], reason: 'too_little_read' }] }),
  });
  expect(await visibilityOf()).toEqual({ newest: unknown('too_little_read'), byDay: null });
  api.scoring.fail('listVisibilityDays', 'SERVICE_UNAVAILABLE');
  expect(await visibilityOf()).toEqual({ newest: unknown('no_answer'), byDay: null });
});

test('the visibility of the newest 50 apps takes one call, and the apps are read once', async () => {
  const applications = Array.from({ length: 51 }, (_, at) => ({
    listing: { ...trackedListing, id: at + 1 },
    keyword_count: 0,
    aso_health: null,
  }));
  api.tracking.answer({ listApplications: async () => ({ applications, total: 51 }) });
  for (const { requests } of [api.tracking, api.scoring]) requests.length = 0;
  const { model } = (await open('')).data as Extract<PageData, { page: 'overview' }>;
  expect(model.rows.at(-1)?.visibility.newest).toEqual(unknown('too_many'));
  expect(api.scoring.requests).toMatchObject([
    { method: 'listVisibilityDays', request: { from: '2026-05-16', to: '2026-06-15' } },
  ]);
  expect(api.tracking.requests.filter(({ method }) => method === 'listApplications')).toHaveLength(1);
});

test('before the first audit an app has neither a health nor a tier', async () => {
  api.tracking.answer({
    listApplications: async () => ({
      applications: [{ listing: trackedListing, keyword_count: 2, aso_health: null }],
      total: 1,
    }),
  });
  expect((await open('')).data.model).toMatchObject({
    rows: [{ health: { state: 'pending' }, healthChange: null, tier: null, auditedAt: null }],
  });
});

test.each([
  ['an earlier day', { earlier: { day: '2026-06-14', global: 64 } }, known(6), '2026-06-14'],
  ['the same score', { earlier: { day: '2026-06-14', global: 70 } }, known(0), '2026-06-14'],
  [
    'another version',
    { earlier: { day: '2026-06-14', global: 0, is_other_version: true } },
    unknown('other_version'),
    null,
  ],
  ['no earlier day', {}, unknown('no_earlier_day'), null],
  ['words left out', { is_partial: true }, unknown('words_missing'), null],
  ['words awaited', { pending_at: new Date('2026-06-15T09:00:00Z') }, unknown('words_missing'), null],
])('the overview says how an audit changed, or why not: %s', async (_, given, points, since) => {
  const { earlier, ...others } = { earlier: null, ...given };
  const health = { ...asoHealth, ...others, earlier: earlier && { is_other_version: false, ...earlier } };
  api.tracking.answer({
    listApplications: async () => ({
      applications: [{ listing: trackedListing, keyword_count: 2, aso_health: health }],
      total: 1,
    }),
  });
  expect((await open('')).data.model).toMatchObject({ rows: [{ healthChange: { points, since } }] });
});

/** Rows of the list, each with its own id. */
const listed = (rows: Partial<Keyword>[]) => ({
  listKeywords: async () => ({
    keywords: rows.map((row, at) => ({ ...trackedKeyword, keyword_id: at + 1, ...row })),
    total: rows.length,
  }),
});

test('the overview begins with the biggest drop of each app, and counts what was read', async () => {
  api.tracking.answer(
    listed([
      { keyword: 'mood', delta: -7, delta_since: '2026-06-14' },
      { delta: 2, delta_since: '2026-06-14' },
      { delta: null, snapshot_date: '2026-06-14' },
      { delta: null, snapshot_date: '2026-06-12' },
    ]),
  );
  api.tracking.requests.length = 0;
  const { data } = await open('');
  const order = { field: Field.DELTA, descending: false };
  expect(api.tracking.requests).toContainEqual(
    expect.objectContaining({ request: expect.objectContaining({ order, app_id: null }) }),
  );
  expect(data.model).toMatchObject({
    rows: [
      {
        drop: { state: 'known', value: 7 },
        dropped: { keywordId: '1', keyword: 'mood', sinceDay: '2026-06-14' },
        top10: { state: 'stale', value: 4, day: '2026-06-12' },
        readOn: '2026-06-15',
      },
    ],
    visit: null,
    run: { read: { value: 2 }, waiting: { value: 1 }, late: { value: 1 } },
    quota: { used: { value: 0 }, limit: { state: 'known' } },
  });
});

test('an app without keywords has no drop, however many days', async () => {
  api.tracking.answer(listed([]));
  expect((await open('')).data.model).toMatchObject({ rows: [{ drop: { state: 'not_applicable' } }] });
});

test('no drop is not the same as no earlier day', async () => {
  const dropOf = async (delta: number | null, since: string | null = null) => {
    api.tracking.answer(listed([{ delta, delta_since: since }]));
    const { model } = (await open('')).data as Extract<PageData, { page: 'overview' }>;
    return [model.rows[0]?.drop, model.rows[0]?.dropped];
  };
  expect(await dropOf(0)).toEqual([{ state: 'known', value: 0 }, null]);
  expect(await dropOf(null)).toEqual([{ state: 'unknown', reason: 'no_earlier_day' }, null]);
  expect(await dropOf(null, '2026-06-14')).toEqual([{ state: 'unknown', reason: 'no_rank' }, null]);
});

test('after an absence the overview says what was read on the days since', async () => {
  api.tracking.answer(
    listed([
      { delta: -1, delta_since: '2026-06-14' },
      { delta: 3, delta_since: '2026-06-14' },
      { delta: 5, snapshot_date: '2026-06-14', delta_since: '2026-06-13' },
    ]),
  );
  const { key } = await api.createKey();
  const browser = openBrowser(api);
  const visit = async () => {
    await browser.signInByKey(key);
    return ((await open('', browser)).data as Extract<PageData, { page: 'overview' }>).model.visit;
  };
  api.clock.setBy(-24 * 3_600_000);
  expect(await visit()).toBeNull();
  api.clock.setBy(0);
  expect(await visit()).toEqual({
    endedAt: expect.stringMatching(/^2026-06-14T/),
    read: { state: 'known', value: 2 },
    up: { state: 'known', value: 1 },
    down: { state: 'known', value: 1 },
  });
});

test.each([
  ['SERVICE_UNAVAILABLE', 'no_answer'],
  ['INVALID_PARAMS', 'too_many'],
] as const)('without the keywords (%s) the overview counts none, and says why', async (code, reason) => {
  api.tracking.fail('listKeywords', code);
  const missing = { state: 'unknown', reason };
  expect((await open('')).data.model).toMatchObject({
    rows: [{ keywords: { value: 2 }, top3: missing, drop: missing, readOn: null }],
    run: { read: missing, waiting: missing, late: missing },
  });
});

test('an empty account on the sample begins with apps of it', async () => {
  api.tracking.answer({
    listApplications: async () => ({ applications: [], total: 0 }),
    listKeywords: async () => ({ keywords: [], total: 0 }),
  });
  const { data } = await open('');
  expect(data.model).toMatchObject({ rows: [], suggestions: [{ storeId: '9005997251' }, {}, {}] });
});

test('a keyword that is not ranked says how deep it was looked for; a score that is missing is pending', async () => {
  const { data } = await open('/apps/42/keywords');
  expect(data.model).toMatchObject({
    rows: [
      {
        id: '7',
        rank: { state: 'known', value: 2 },
        change: { state: 'known', value: 3 },
        status: 'up',
        traffic: { state: 'partial', value: 60 },
        kei: { state: 'partial', value: 52.8 },
      },
      {
        id: '8',
        rank: { state: 'not_ranked', depth: 37, day: null },
        change: { state: 'unknown', reason: 'no_earlier_day' },
        status: null,
        traffic: { state: 'pending' },
      },
    ],
    hasMore: false,
  });
});

test('a page is compressed as a whole', async () => {
  const { browser } = await signIn();
  const plain = await open('/apps/42/keywords/7', browser);
  const headers = { accept: 'text/html', 'accept-encoding': 'br', cookie: browser.cookie };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${api.url}/dashboard/apps/42/keywords/7`, { headers }, resolve).once('error', reject).end();
  });
  const sent = await buffer(answer);
  expect(answer.headers).toMatchObject({
    'content-encoding': 'br',
    vary: 'Accept-Encoding',
    'content-length': String(sent.length),
  });
  expect(brotliDecompressSync(sent).toString()).toBe(plain.body);
});

test('no page can be framed, embedded, cached or given a script', async () => {
  const { browser } = await signIn();
  const paths = ['', '/apps/42', '/apps/42/keywords', '/apps/42/keywords/7', '/account', '/nowhere'];
  const pages = [await open('/sign-in', openBrowser(api)), await open('/nowhere', openBrowser(api))];
  for (const path of paths) pages.push(await open(path, browser));
  for (const { headers, body } of pages) {
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'$/,
    );
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    const scripts = [...String(body).matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
    expect(scripts).toEqual([
      expect.stringMatching(
        /^<script type="module" src="\/dashboard\/assets\/(main|more|account|work|app|keyword|rivals)-AAAAAAAA\.js">$/,
      ),
      '<script type="application/json" id="data">',
    ]);
  }
});

test('a page that reads itself again gets the same data as JSON', async () => {
  const { browser } = await signIn();
  const html = await open('/apps/42/keywords', browser);
  const json = await browser.sendAs({ accept: 'application/json' }, 'GET', '/apps/42/keywords');
  expect(json.body).toEqual(html.data);
});

test('a page shows its other parts while a service does not answer', async () => {
  const { status, data } = await open('/apps/42?days=30');
  expect([status, data.page]).toEqual([200, 'app']);
  expect(data.model).toMatchObject({
    health: { global: { state: 'unknown', reason: 'no_answer' }, computedAt: null },
    distribution: {
      day: '2026-06-15',
      parts: expect.arrayContaining([{ label: '2–3', count: { state: 'known', value: 1 } }]),
    },
    movers: { days: '30', rows: [{ keywordId: '7', change: { value: 3 } }], unread: { value: 1 } },
    flags: null,
    missing: { audit: 'no_answer', visibility: null, distribution: null },
  });
});

test('with a kept keywords field an app has two overall scores, and says which is which', async () => {
  const audit = {
    report: { ...asoReport, scoring_version: 4 },
    timeline: [],
    is_pending: false,
    is_partial: false,
  };
  const healthWith = async (withoutField: number | undefined) => {
    const reply = { ...audit, global_without_field: withoutField };
    api.scoring.answer({ getAsoHealth: async () => reply });
    return ((await open('/apps/42')).data as Extract<PageData, { page: 'app' }>).model.health;
  };
  expect(await healthWith(80)).toMatchObject({
    global: { state: 'known', value: asoReport.global },
    withoutField: { state: 'known', value: 80 },
  });
  expect(await healthWith(undefined)).toMatchObject({ withoutField: null });
});

test('the page of an app asks for no words to add, which it does not show', async () => {
  await open('/apps/42');
  const asked = api.scoring.requests.filter(({ method }) => method === 'getAsoHealth');
  expect(asked).toMatchObject([{ request: { without_tracked_terms: true, include_words: false } }]);
});

test('where the keywords rank comes with what moved; without that it is read alone', async () => {
  const ofTracking = () => api.tracking.requests.map(({ method }) => method);
  const distribution = { day: '2026-06-15', parts: expect.any(Array) };
  const { browser } = await signIn();
  api.tracking.requests.length = 0;
  expect((await open('/apps/42', browser)).data.model).toMatchObject({ distribution });
  expect(ofTracking()).not.toContain('getRankDistribution');
  api.tracking.fail('listMovers', 'SERVICE_UNAVAILABLE');
  expect((await open('/apps/42', browser)).data.model).toMatchObject({
    distribution,
    movers: { missing: 'no_answer' },
    missing: { distribution: null },
  });
  expect(ofTracking()).toContain('getRankDistribution');
});

test('the page of an app has the keywords that bring most, with how their ranks changed', async () => {
  const totals = { up: 0, down: 0, same: 0, entered: 0, left: 0 };
  const row = { keyword_id: 7, keyword: 'notes', traffic_score: 60, is_partial: false, rank: 3 };
  const keywords = [
    { ...row, rank_date: '2026-06-15', from_date: '2026-06-08', rank_before: 9 },
    { ...row, keyword_id: 8, is_partial: true, rank_date: '2026-06-15', from_date: '2026-06-08' },
    { ...row, keyword_id: 9, traffic_score: 0, rank_date: '2026-06-12' },
  ];
  api.tracking.answer({ listMovers: async () => ({ movers: [], totals, unread: 2, top: { keywords } }) });
  const { browser } = await signIn();
  api.tracking.requests.length = 0;
  expect((await open('/apps/42', browser)).data.model).toMatchObject({
    top: [
      {
        keywordId: '7',
        keyword: 'notes',
        traffic: { state: 'known', value: 60 },
        rank: { state: 'known', value: 3 },
        change: { state: 'known', value: 6 },
        status: 'up',
      },
      { traffic: { state: 'partial', value: 60 }, change: { state: 'not_applicable' }, status: 'entered' },
      {
        traffic: { state: 'known', value: 0 },
        rank: { state: 'stale', value: 3, day: '2026-06-12' },
        change: { state: 'unknown', reason: 'no_earlier_day' },
        status: null,
      },
    ],
  });
  const asked = api.tracking.requests.filter(({ method }) => method === 'listMovers');
  expect(asked).toMatchObject([{ request: { top: 10, per_page: 20 } }]);
  api.tracking.fail('listMovers', 'SERVICE_UNAVAILABLE');
  expect((await open('/apps/42', browser)).data.model).toMatchObject({
    top: null,
    movers: { missing: 'no_answer' },
  });
});

test('before anything was read there is no distribution, and nothing is missing', async () => {
  const totals = { up: 0, down: 0, same: 0, entered: 0, left: 0 };
  api.tracking.answer({ listMovers: async () => ({ movers: [], totals, unread: 2 }) });
  expect((await open('/apps/42')).data.model).toMatchObject({
    distribution: null,
    missing: { distribution: null },
  });
});

test('what a call of a page has not answered is never shown as nothing', async () => {
  api.tracking.fail('getRankDistribution', 'SERVICE_UNAVAILABLE');
  api.tracking.fail('listMovers', 'SERVICE_UNAVAILABLE');
  expect((await open('/apps/42')).data.model).toMatchObject({
    distribution: null,
    missing: { distribution: 'no_answer' },
    movers: {
      rows: [],
      missing: 'no_answer',
      total: { state: 'unknown', reason: 'no_answer' },
      unread: { state: 'unknown', reason: 'no_answer' },
    },
  });
  expect((await open('/apps/42/keywords')).data.model).toMatchObject({
    rows: Array.from({ length: 2 }, () => ({ change: { state: 'unknown', reason: 'no_answer' } })),
  });
});

test('a KEI that the scores do not give is unknown, and not awaited', async () => {
  api.tracking.answer(listed([{ kei_score: null }, { traffic_score: null, kei_score: null }]));
  expect((await open('/apps/42/keywords')).data.model).toMatchObject({
    rows: [
      { kei: { state: 'unknown', reason: 'not_read' }, keiReason: null },
      { kei: { state: 'pending' }, keiReason: null },
    ],
  });
});

test('a row says what holds its KEI down, if anything does', async () => {
  api.tracking.answer(
    listed([
      { kei_score: 19.9, kei_reason: 'unsearched', is_partial: false },
      { kei_score: 70, kei_reason: null },
      { kei_score: 19.9, kei_reason: 'unsearched', is_partial: true },
    ]),
  );
  expect((await open('/apps/42/keywords')).data.model).toMatchObject({
    rows: [{ keiReason: 'unsearched' }, { keiReason: null }, { keiReason: 'search_unknown' }],
  });
});

test('points have as many digits as the score that they add up to deserves', async () => {
  const { breakdown } = keywordScoresReply;
  const parts = breakdown?.difficulty_components.map((part) => ({
    ...part,
    points: 31.6249,
    max_points: 55.04,
  }));
  const reply = {
    ...keywordScoresReply,
    breakdown: breakdown && { ...breakdown, difficulty_components: parts ?? [] },
  };
  api.scoring.answer({ getKeywordScores: async () => reply });
  expect((await open('/apps/42/keywords/7')).data.model).toMatchObject({
    difficultyParts: [{ points: { state: 'known', value: 31.6 }, maxPoints: { state: 'known', value: 55 } }],
    trafficParts: [{ name: 'suggest', points: { state: 'unknown', reason: 'not_read' } }],
  });
});

test('a KEI is rated in a word, and says what holds it down', async () => {
  const { breakdown } = keywordScoresReply;
  const ratingOf = async (changed: Partial<NonNullable<typeof breakdown>>) => {
    const reply = { ...keywordScoresReply, breakdown: breakdown && { ...breakdown, ...changed } };
    api.scoring.answer({ getKeywordScores: async () => reply });
    const { data } = await open('/apps/42/keywords/7');
    return (data as Extract<PageData, { page: 'keyword' }>).model.keiRating;
  };
  expect(await ratingOf({})).toEqual({ level: 'good', reason: null });
  const poor = { kei: 19.9, kei_level: 'poor', kei_reason: 'unsearched' };
  const read = { ...poor, is_partial: false, is_searched: false };
  expect(await ratingOf(read)).toEqual({ level: 'poor', reason: 'unsearched' });
  const unread = { ...poor, is_partial: true, is_searched: null };
  expect(await ratingOf(unread)).toEqual({ level: 'poor', reason: 'search_unknown' });
  expect(await ratingOf({ kei: null })).toBeNull();
  api.scoring.fail('getKeywordScores', 'SERVICE_UNAVAILABLE');
  expect((await open('/apps/42/keywords/7')).data.model).toMatchObject({ keiRating: null });
});

test('scores that are not stored yet follow; those that were not answered are missing', async () => {
  for (const [code, missing] of [
    ['NOT_FOUND', null],
    ['SERVICE_UNAVAILABLE', 'no_answer'],
  ] as const) {
    api.scoring.fail('getKeywordScores', code);
    expect((await open('/apps/42/keywords/7')).data.model).toMatchObject({
      scoringVersion: null,
      scoresMissing: missing,
    });
  }
});

test('related keywords are those that are kept, and none is not the same as not known', async () => {
  const terms = [
    { keyword: 'daily habits', traffic_score: 42, difficulty_score: null, scored_at: null },
    { keyword: 'mood tracker', scored_at: null },
  ];
  for (const [related, shown] of [
    [
      { terms },
      [
        { keyword: 'daily habits', traffic: { state: 'known', value: 42 } },
        { keyword: 'mood tracker', traffic: { state: 'unknown', reason: 'not_read' } },
      ],
    ],
    [{ terms: [] }, []],
    [null, null],
  ] as const) {
    const reply = { ...keywordScoresReply, related: related && { terms: [...related.terms] } };
    api.scoring.answer({ getKeywordScores: async () => reply });
    expect((await open('/apps/42/keywords/7')).data.model).toMatchObject({ related: shown });
  }
  expect(api.scoring.requests.find(({ method }) => method === 'getKeywordScores')?.request).toMatchObject({
    with_related: true,
  });
});

test('a keyword has its days, and its score opened', async () => {
  const { data } = await open('/apps/42/keywords/7');
  expect(data.model).toMatchObject({
    keyword: { id: '7', text: 'habit tracker' },
    series: [
      {
        name: 'Evernote',
        read: [
          { date: '2026-06-14', rank: { state: 'known', value: 5 } },
          { date: '2026-06-15', rank: { state: 'not_ranked' } },
        ],
      },
      { name: 'A rival', isOwn: false, read: [{ rank: { state: 'known', value: 3 } }] },
    ],
    scoringVersion: expect.any(String),
  });
  const { model } = data as Extract<PageData, { page: 'keyword' }>;
  expect(model.trafficParts.length).toBeGreaterThan(0);
  expect(model.inputs.length).toBeGreaterThan(0);
  // Its chart marks only own changes.
  const asked = api.tracking.requests.filter(({ method }) => method === 'listChanges').at(-1);
  expect(asked?.request).toMatchObject({ app_id: 42, competitors: false });
});

test('a keyword has the first ten of the page that its scores are of, and its scores by day', async () => {
  const { breakdown } = keywordScoresReply;
  const apps = Array.from({ length: 10 }, (_, at) => ({
    rank: at + 1,
    app_id: at === 1 ? '281796108' : String(at + 1),
    updated_at: null,
  }));
  const ranking = trackedKeyword.ranking.map((app, at) => ({ ...app, app_id: apps[at]?.app_id ?? '' }));
  api.tracking.answer(listed([{ keyword_id: 7, ranking }]));
  const day = { date: '2026-06-14', difficulty: 40, is_partial: false, scoring_version: 2 };
  api.scoring.answer({
    getKeywordScores: async () => ({
      ...keywordScoresReply,
      breakdown: breakdown && { ...breakdown, apps },
      history: [day, { ...day, date: '2026-06-15', traffic: 0, is_partial: true, scoring_version: 4 }],
    }),
  });
  const { model } = (await open('/apps/42/keywords/7')).data as Extract<PageData, { page: 'keyword' }>;
  expect(model.results.map(({ isOwn }) => isOwn)).toEqual([false, true, ...Array(8).fill(false)]);
  expect(model.results[9]).toMatchObject({ appId: '10', rank: { state: 'known', value: 10 }, title: null });
  expect(model.resultsMissing).toBeNull();
  expect(model.scoreHistory).toEqual([
    {
      day: '2026-06-14',
      traffic: { state: 'unknown', reason: 'too_little_read' },
      difficulty: { state: 'known', value: 40 },
      version: '2',
    },
    {
      day: '2026-06-15',
      traffic: { state: 'partial', value: 0 },
      difficulty: { state: 'known', value: 40 },
      version: '4',
    },
  ]);
  api.scoring.fail('getKeywordScores', 'SERVICE_UNAVAILABLE');
  const without = (await open('/apps/42/keywords/7')).data.model;
  expect(without).toMatchObject({ resultsMissing: 'not_scored', scoreHistory: null });
  expect((without as typeof model).results).toHaveLength(5);
});

test('the rank of a keyword has its change of seven days, from the days that its chart shows', async () => {
  const since = '2026-06-08';
  const noRank = { state: 'unknown', reason: 'no_earlier_day' };
  expect((await open('/apps/42/keywords/7')).data.model).toMatchObject({
    change: { places: noRank, status: null, since },
  });
  const rival = { app_id: '5', title: 'A rival', is_own: false, history: [{ date: since, rank: 1 }] };
  const own = { app_id: '281796108', title: 'Evernote', is_own: true };
  const answerDays = (history: { date: string; rank?: number }[]) =>
    api.tracking.answer({
      listRankHistories: async () => ({
        keywords: [{ keyword_id: 7, keyword: 'habit tracker', apps: [rival, { ...own, history }] }],
        total: 1,
      }),
    });
  answerDays([
    { date: since, rank: 9 },
    { date: '2026-06-15', rank: 2 },
  ]);
  expect((await open('/apps/42/keywords/7')).data.model).toMatchObject({
    rank: { state: 'known', value: 2 },
    change: { places: { state: 'known', value: 7 }, status: 'up', since },
  });
  answerDays([
    { date: '2026-06-07', rank: 9 },
    { date: '2026-06-15', rank: 2 },
  ]);
  expect((await open('/apps/42/keywords/7')).data.model).toMatchObject({
    change: { places: { state: 'unknown', reason: 'day_not_read' }, status: null, since },
  });
});

test('the account has its usage, and no key but its first characters', async () => {
  const { browser } = await signIn();
  const { data, body } = await open('/account', browser);
  expect(data.model).toMatchObject({ plan: 'unlimited', hasApi: true, url: 'https://aso.example.com' });
  expect(String(body)).not.toMatch(/sw_live_\w{20}/);
});

test('the account says when its key was made, unless an older version has replaced it', async () => {
  const { browser, id } = await signIn();
  const madeAt = async () =>
    ((await open('/account', browser)).data as Extract<PageData, { page: 'account' }>).model.keyMadeAt;
  const accounts = api.connection.collection('accounts');
  const stored = await accounts.findOne({ _id: id as never });
  expect(await madeAt()).toBe(stored?.created_at.toISOString());
  await accounts.updateOne({ _id: id as never }, { $set: { key_version: 2 } });
  expect(await madeAt()).toBeNull();
  const at = new Date('2026-06-14T10:00:00Z');
  await accounts.updateOne({ _id: id as never }, { $set: { key_made_at: at } });
  expect(await madeAt()).toBe(at.toISOString());
});

test('what cannot be shown is a page that says why, with its status', async () => {
  expect(await open('/apps/7/keywords')).toMatchObject({
    status: 404,
    data: { page: 'problem', model: { canRetry: false, works: 'other_pages' } },
  });
  api.tracking.fail('listApplications', 'SERVICE_UNAVAILABLE');
  expect(await open('')).toMatchObject({
    status: 503,
    data: { page: 'problem', model: { canRetry: true, works: 'maybe_others' } },
  });
});

describe('a browser that opens an address and is refused', () => {
  const html = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const problemHeaders = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    'cross-origin-opener-policy': 'same-origin',
    'x-request-id': expect.any(String),
  };
  type Opened = Awaited<ReturnType<typeof open>>;
  function expectProblem({ headers, data, status }: Opened, expected: number) {
    expect([status, data.page]).toEqual([expected, 'problem']);
    expect(Object.fromEntries(headers)).toMatchObject(problemHeaders);
    expect(data.model).toMatchObject({ requestId: headers.get('x-request-id') });
    return data.model;
  }

  test('sees a page for an address that does not exist or is broken, with and without a session', async () => {
    const { browser } = await signIn();
    for (const visitor of [browser, openBrowser(api)]) {
      const unknown = expectProblem(await open('/nowhere', visitor), 404);
      expect(unknown).toMatchObject({ message: expect.stringContaining('page'), canRetry: false });
      expectProblem(await open('/apps/%zz', visitor), 400);
      expectProblem(await open('/assets/main-CCCCCCCC.js', visitor), 404);
    }
  });

  test('sees a page that loads again by itself when the windows of the sessions are full', async () => {
    const { browser } = await signIn();
    api.clock.advance(1000);
    const openNow = () => browser.sendAs({ accept: html }, 'GET', '', { withoutPause: true });
    for (let page = 0; page < 10; page++) expect((await openNow()).status).toBe(200);
    const refused = await openNow();
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('x-ratelimit-limit')).toBe('10');
    const [, json = ''] = /id="data">([^<]*)</.exec(String(refused.body)) ?? [];
    const data = JSON.parse(json) as PageData;
    expect(expectProblem({ ...refused, data }, 429)).toMatchObject({
      canRetry: true,
      works: 'after_wait',
      retryAfterSeconds: 1,
      reloads: true,
    });
    // Refusals do not count: once the wait is over, the page is there.
    for (let again = 0; again < 20; again++) expect((await openNow()).status).toBe(429);
    api.clock.advance(1000);
    expect((await openNow()).status).toBe(200);
  });

  test('sees a countdown after too many public pages, whose files still come', async () => {
    const visitor = openBrowser(api, { from: '10.7.0.1' });
    for (let page = 0; page < 120; page++) await open('/sign-in', visitor);
    for (const path of ['/sign-in', '', '/nowhere']) {
      const refused = await open(path, visitor);
      const seconds = Number(refused.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(5);
      expect(expectProblem(refused, 429)).toMatchObject({
        canRetry: true,
        retryAfterSeconds: seconds,
        reloads: false, // a person would wait too long without knowing what for
      });
    }
    expect((await visitor.sendAs({}, 'GET', '/assets/main-AAAAAAAA.js')).status).toBe(200);
    expect((await visitor.sendAs({}, 'GET', '/assets/main-CCCCCCCC.js')).status).toBe(429);
  });

  test('sees when to try again while a service or the gateway has too much to do', async () => {
    api.tracking.fail('listApplications', 'SERVICE_UNAVAILABLE');
    const failed = await open('');
    expect(failed.headers.get('retry-after')).toBe('5');
    expect(expectProblem(failed, 503)).toMatchObject({
      canRetry: true,
      retryAfterSeconds: 5,
      reloads: false,
    });
  });

  test('sees of a bug no more than the API tells', async () => {
    api.tracking.answer({ listApplications: async () => ({ applications: [{}], total: 1 }) as never });
    const failed = await open('');
    expect(expectProblem(failed, 500)).toMatchObject({ canRetry: true, retryAfterSeconds: null });
    expect(failed.body).toContain('Something went wrong on our side.');
  });

  test('sees no secret that its address has', async () => {
    const { browser } = await signIn();
    const secret = browser.cookie.split('=')[1] ?? '';
    const shown = await open(`/apps/${secret}/keywords`, browser);
    expect(shown.status).toBeGreaterThanOrEqual(400);
    expect(shown.body).not.toContain(secret.slice(-20));
  });

  test.each([
    ['a script', { accept: 'application/json' }, 'GET', '/nowhere'],
    ['a program that accepts anything', { accept: '*/*' }, 'GET', '/nowhere'],
    ['a call of the API', { accept: html }, 'GET', '/api/nowhere'],
    ['a call of a session', { accept: html }, 'GET', '/sessions/nowhere'],
    ['a form', { accept: html }, 'POST', '/apps/42'],
  ])('%s gets JSON', async (_, headers, method, path) => {
    const { browser } = await signIn();
    const { status, body } = await browser.sendAs(headers, method, path);
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
  });
});

test('a browser that opens the address of the gateway is led to the dashboard, a program to the documentation', async () => {
  for (const [accept, location] of [
    ['text/html,*/*;q=0.8', '/dashboard'],
    ['application/json', '/docs'],
    ['*/*', '/docs'],
  ] as const) {
    const { status, headers } = await api.call('GET', '/', { key: null, headers: { accept } });
    expect([accept, status, headers.get('location')]).toEqual([accept, 302, location]);
  }
});

test('a store that cannot be read is named on every page, with the days of the ranks', async () => {
  troubles.push(blockedStore);
  for (const path of ['', '/apps/42/keywords', '/apps/42/keywords/7']) {
    const { frame } = (await open(path)).data;
    expect(frame).toMatchObject({
      troubles: [blockedStore],
      rankDays: { oldest: '2026-06-15', newest: '2026-06-15' },
    });
  }
  expect((await open('/account')).data.frame).toMatchObject({ troubles: [blockedStore], rankDays: null });
});

test('a rank of before today is blocked with its day while its store is; a rank of today is known', async () => {
  troubles.push(blockedStore);
  api.tracking.answer(
    listed([
      { snapshot_date: '2026-06-15' },
      { snapshot_date: '2026-06-14', traffic_score: null, difficulty_score: null, kei_score: null },
    ]),
  );
  const blocked = { state: 'blocked', value: null, day: null };
  expect((await open('/apps/42/keywords')).data.model).toMatchObject({
    rows: [
      { rank: { state: 'known', value: 2 }, kei: { state: 'partial', value: 52.8 } },
      {
        rank: { state: 'blocked', value: 2, day: '2026-06-14' },
        traffic: blocked,
        difficulty: blocked,
        kei: blocked,
      },
    ],
  });
  expect((await open('')).data.model).toMatchObject({
    rows: [{ top3: { state: 'blocked', value: 2, day: '2026-06-14' } }],
  });
});

test('a store of which only a part fails blocks no rank', async () => {
  troubles.push({ ...blockedStore, blockedSince: null });
  api.tracking.answer(listed([{ snapshot_date: '2026-06-14' }]));
  expect((await open('/apps/42/keywords')).data.model).toMatchObject({
    rows: [{ rank: { state: 'known' } }],
  });
});

/** All figures in the data of a page. */
function figuresIn(data: unknown): Figure[] {
  if (data === null || typeof data !== 'object') return [];
  return 'state' in data ? [data as Figure] : Object.values(data).flatMap(figuresIn);
}

test('each of the eight states comes from a page', async () => {
  troubles.push(blockedStore);
  api.tracking.answer(
    listed([
      { delta: 0 },
      { current_rank: null, traffic_score: null },
      { snapshot_date: '2026-06-14', store: 'ITUNES' },
      { snapshot_date: '2026-06-12', store: 'GPLAY' },
    ]),
  );
  const { browser } = await signIn();
  const pages = await Promise.all(
    ['', '/apps/42', '/apps/42/keywords', '/account'].map((path) => open(path, browser)),
  );
  const ofBlocked = figuresIn(pages.map(({ data }) => data.model));
  troubles.length = 0;
  const others = figuresIn((await open('/apps/42/keywords', browser)).data.model);
  const states = new Set([...ofBlocked, ...others].map(({ state }) => state));
  expect([...states].toSorted()).toEqual([
    'blocked',
    'known',
    'not_applicable',
    'not_ranked',
    'partial',
    'pending',
    'stale',
    'unknown',
  ]);
});

test('the files of the pages are public, and other names are 404', async () => {
  const stranger = openBrowser(api);
  expect((await stranger.sendAs({}, 'GET', '/assets/main-AAAAAAAA.js')).status).toBe(200);
  expect((await stranger.sendAs({}, 'GET', '/assets/main-CCCCCCCC.js')).status).toBe(404);
  expect((await open('/sign-in', stranger)).data).toEqual({
    page: 'sign-in',
    frame: null,
    model: { isForConnection: false },
  });
});

test('each page makes at most seven calls of services, whatever its rows', async () => {
  const { browser } = await signIn();
  for (const path of ['', '/apps/42', '/apps/42/keywords', '/apps/42/keywords/7', '/account']) {
    for (const service of [api.tracking, api.scoring]) service.requests.length = 0;
    await open(path, browser);
    expect(api.tracking.requests.length + api.scoring.requests.length).toBeLessThanOrEqual(7);
  }
});
