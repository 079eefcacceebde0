import type { PageData } from '@shelfwise/dashboard/page-data';
import { createGate } from '../../testing/gate.ts';
import { until } from '../../testing/until.ts';
import { createSecret } from '../src/accounts/api-key.ts';
import { createShareLinkModel } from '../src/share-links/share-link-model.ts';
import { openBrowser } from './harness/browser.ts';
import { pageHead } from './harness/page-head.ts';
import { trackedKeyword, trackedListing } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway({
  trustProxy: 1,
  dashboard: {
    publicUrl: undefined,
    assets: {
      head: pageHead(),
      files: new Map(),
    },
  },
});
const dayMs = 86_400_000;
const appOf = (id: number, title: string) => ({
  listing: { ...trackedListing, id, listing: trackedListing.listing && { ...trackedListing.listing, title } },
  keyword_count: 1,
  aso_health: null,
});
let apps = [appOf(42, 'Evernote'), appOf(43, 'Secret project')];

/** What the account predicted of it, and what followed, are no business of strangers. */
const change = {
  id: '98765:7',
  app: { app_id: '281796108', title: 'Evernote', is_own: true },
  date: '2026-06-05',
  version: '2.1',
  fields: [
    {
      field: 'title',
      before: 'Evernote',
      after: 'Evernote: Notes',
      words_added: ['notes'],
      words_removed: [],
    },
  ],
  screenshots: { added: 2, removed: 0 },
  icon_changed: false,
  rating_before: 4.4,
  rating_after: 4.3,
  effects: [],
  texts: { title: 'Evernote: Notes', subtitle: 'Write', description: 'Notes.' },
  texts_before: { title: 'Evernote', subtitle: 'Write', description: 'Notes.' },
};

/** The distribution of a day with one keyword; `unread`: 1 when it was not read. */
function dayOf(date: string, unread: 0 | 1) {
  const bands = { rank_1: 0, rank_2_3: 1 - unread, rank_4_10: 0, rank_11_30: 0, rank_31_100: 0 };
  return { date, tracked: 1, ...bands, not_ranked: 0, unread };
}

beforeEach(() => {
  apps = [appOf(42, 'Evernote'), appOf(43, 'Secret project')];
  api.tracking.answer({
    getTrackedListing: async () => ({ listing: trackedListing }),
    listApplications: async () => ({ applications: apps, total: apps.length }),
    listKeywords: async () => ({ keywords: [{ ...trackedKeyword, is_favorite: true }], total: 1 }),
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
              history: [{ date: '2026-06-15', rank: 2 }],
            },
          ],
        },
      ],
      total: 1,
    }),
    getRankDistribution: async () => ({ app_title: 'Evernote', history: [dayOf('2026-06-15', 0)] }),
    listChanges: async () => ({
      changes: [
        {
          ...change,
          id: '99:2',
          app: { app_id: '9', title: 'Rival of Ann', is_own: false },
          texts: null,
          texts_before: null,
        },
        change,
      ],
      total: 2,
      truncated: false,
    }),
  });
  api.scoring.answer({
    getScoreHistory: async () => ({ history: [] }),
    findSimulations: async () => ({
      found: [{ id: 76543, delta_global: 87 }],
    }),
  });
});

async function makeLink({ days = 30, app = 42, plan = 'unlimited' } = {}) {
  const { key, id: accountId } = await api.createKey(plan);
  const path = `/api/v1/applications/${app}/share-links`;
  const { body } = await api.call('POST', path, { key, body: { days, label: 'For Ann' } });
  const { pathname } = new URL(body.data.address);
  for (const service of Object.values(api.services)) service.requests.length = 0;
  return { key, accountId, path: pathname, ofLink: `${path}/${body.data.id}` };
}

/** As a stranger's browser: without key and cookie. */
async function open(path: string, headers: Record<string, string> = {}) {
  const answer = await api.call('GET', path, { key: null, headers: { accept: 'text/html', ...headers } });
  const [, json = 'null'] = /id="data">([^<]*)</.exec(String(answer.body)) ?? [];
  return { ...answer, data: JSON.parse(json) as PageData };
}

test('of the distribution today is read, and yesterday only when nothing of today was', async () => {
  const { path } = await makeLink();
  const readDays = async () => {
    api.tracking.requests.length = 0;
    const { distribution } = ((await open(path)).data as Extract<PageData, { page: 'shared-app' }>).model;
    const asked = api.tracking.requests.filter(({ method }) => method === 'getRankDistribution');
    return { shown: distribution?.day, from: asked.map(({ request }) => (request as { from: string }).from) };
  };
  expect(await readDays()).toEqual({ shown: '2026-06-15', from: ['2026-06-15'] });
  const history = [dayOf('2026-06-14', 0), dayOf('2026-06-15', 1)];
  api.tracking.answer({
    getRankDistribution: async () => ({ app_title: 'Evernote', history: history.slice(-1) }),
  });
  expect((await readDays()).shown).toBe('2026-06-15');
  api.tracking.answer({
    getRankDistribution: async ({ from }) => ({
      app_title: 'Evernote',
      history: history.filter(({ date }) => date >= from),
    }),
  });
  expect(await readDays()).toEqual({ shown: '2026-06-14', from: ['2026-06-15', '2026-06-14'] });
});

test('everyone who has the link sees the ranks, visibility and distribution of the app, as they are kept', async () => {
  const { path, accountId } = await makeLink();
  const { status, data } = await open(path);
  expect([status, data]).toMatchObject([
    200,
    {
      page: 'shared-app',
      frame: null,
      model: {
        app: { title: 'Evernote', storeId: '281796108' },
        isSample: true,
        readOn: '2026-06-15',
        endsAt: expect.stringMatching(/^2026-07-15T/),
        visibility: [],
        distribution: { day: '2026-06-15' },
        changes: [
          {
            day: '2026-06-05',
            fields: [
              {
                name: 'title',
                before: 'Evernote',
                after: 'Evernote: Notes',
                added: ['notes'],
                removed: [],
              },
            ],
            isOtherIcon: false,
            screenshots: { added: { value: 2 }, removed: { value: 0 } },
          },
        ],
        ranks: {
          hasMore: false,
          rows: [{ keyword: 'habit tracker', rank: { value: 2 }, spark: expect.stringMatching(/,2$/) }],
        },
      },
    },
  ]);
  // Kept data of the account that made the link: no audit, no store, one call per RPC.
  expect(
    api
      .requests()
      .map(({ method }) => method)
      .sort(),
  ).toEqual([
    'findSimulations',
    'getRankDistribution',
    'getScoreHistory',
    'getTrackedListing',
    'listApplications',
    'listChanges',
    'listKeywords',
    'listRankHistories',
  ]);
  expect(api.tracking.requests.map(({ request }) => (request as { account_id: string }).account_id)).toEqual(
    api.tracking.requests.map(() => accountId),
  );
});

test('the page has nothing else of the account: no other app, email, key, label, favorite, rival or id', async () => {
  const { path, key, accountId } = await makeLink();
  const text = String((await open(path)).body);
  for (const secret of [
    'Secret project',
    '@example.com',
    key,
    key.slice(0, 12),
    accountId,
    'For Ann',
    'avorite',
    'Rival of Ann',
    '98765',
    '76543',
    'simulation',
    'predicted',
  ])
    expect([secret, text.includes(secret)]).toEqual([secret, false]);
  const { data } = await open(path);
  expect(JSON.stringify(data)).not.toMatch(/"id"|"appId"|"first"|"account/);
});

test('of the changes neither those of competitors nor what followed are read', async () => {
  const { path } = await makeLink();
  await open(path);
  const asked = api.tracking.requests.find(({ method }) => method === 'listChanges');
  expect(asked?.request).toMatchObject({ app_id: 42, competitors: false, effects: false });
});

test('nobody indexes, keeps, frames or follows it', async () => {
  const { path } = await makeLink();
  const { headers, body } = await open(path);
  expect(headers.get('x-robots-tag')).toBe('noindex, nofollow, noarchive');
  expect(String(body)).toContain('<meta name="robots" content="noindex">');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  expect(headers.get('set-cookie')).toBeNull();
});

test('a guessed or broken address is 404, and asks no service', async () => {
  const { path } = await makeLink();
  const guesses = [
    `/dashboard/shared/${createSecret('sw_share_').text}`,
    `${path}x`,
    path.slice(0, -1),
    path.replace('sw_share_', 'sw_live_'),
    path.toUpperCase().replace('/DASHBOARD/SHARED', '/dashboard/shared'),
    '/dashboard/shared/%7B%22$gt%22:%22%22%7D',
    '/dashboard/shared/%00',
    '/dashboard/shared/..%2F..%2Faccount',
  ];
  for (const guess of guesses) expect([guess, (await open(guess)).status]).toEqual([guess, 404]);
  expect(api.requests()).toEqual([]);
});

test('the hash that is stored opens nothing', async () => {
  await makeLink();
  const [stored] = await createShareLinkModel(api.connection).find().lean();
  expect((await open(`/dashboard/shared/${stored?._id}`)).status).toBe(404);
});

const gone = { status: 404, data: { page: 'problem', model: { canRetry: false } } };

test('a link ends by DELETE, and looks as if it had never been', async () => {
  const { path, key, ofLink } = await makeLink();
  expect((await open(path)).status).toBe(200);
  await api.call('DELETE', ofLink, { key });
  const [ended, never] = [
    await open(path),
    await open(`/dashboard/shared/${createSecret('sw_share_').text}`),
  ];
  expect(ended).toMatchObject(gone);
  const messageOf = ({ data }: { data: PageData }) => (data.page === 'problem' ? data.model.message : null);
  expect(messageOf(ended)).toBe(messageOf(never));
});

test('a link ends on its day, before and after the sweep', async () => {
  const { path } = await makeLink({ days: 1 });
  api.clock.setBy(dayMs - 10_000);
  expect((await open(path)).status).toBe(200);
  api.clock.setBy(dayMs + 60_000);
  expect(await open(path)).toMatchObject(gone);
});

test('a link ends with the plan of its account, and not with its key', async () => {
  const { path, accountId } = await makeLink();
  await api.gateway.accounts.regenerateKey({ id: accountId });
  expect((await open(path)).status).toBe(200);
  await api.gateway.accounts.changePlan({ id: accountId, plan: 'free' });
  expect(await open(path)).toMatchObject(gone);
});

test('a link ends with its account at once', async () => {
  const { path, accountId } = await makeLink();
  await api.gateway.accounts.delete({ id: accountId });
  expect(await open(path)).toMatchObject(gone);
});

test('a link of an app that is no longer tracked is 404', async () => {
  const { path } = await makeLink();
  apps = [appOf(43, 'Secret project')];
  expect(await open(path)).toMatchObject(gone);
});

test('the id of another app in the address changes nothing', async () => {
  const { path } = await makeLink();
  for (const query of ['?id=43', '?app_id=43', '?appId=43']) {
    const { data } = await open(`${path}${query}`);
    expect(data.model).toMatchObject({ app: { title: 'Evernote' } });
  }
  expect((await open(`${path}/43`)).status).toBe(404);
});

test('the link is no key and no session: it opens no endpoint and no other page', async () => {
  const { path } = await makeLink();
  const secret = path.split('/').at(-1) ?? '';
  const asKey = await api.call('GET', '/api/v1/applications', { key: secret });
  expect(asKey.status).toBe(401);
  const browser = openBrowser(api, { cookie: `shelfwise=${secret}` });
  expect((await browser.send('GET', '/api/applications')).status).toBe(401);
  expect((await browser.sendAs({ accept: 'text/html' }, 'GET', '')).status).toBe(302);
  expect((await api.call('POST', path, { key: null, body: {} })).status).toBe(404);
});

test('guesses are under the limit of pages without a key', async () => {
  const from = { 'x-forwarded-for': '203.0.113.9' };
  const guess = async () => {
    const path = `/dashboard/shared/${createSecret('sw_share_').text}`;
    return (await api.call('GET', path, { key: null, headers: from, withoutPause: true })).status;
  };
  const statuses = await Promise.all(Array.from({ length: 125 }, guess));
  expect(statuses.sort()).toEqual([...Array(120).fill(404), ...Array(5).fill(429)]);
});

test('a view spends nothing of the account: no request, no place in its windows', async () => {
  const { path, key } = await makeLink();
  api.tracking.answer({ getTotals: async () => ({ apps: 1, keywords: 1, competitors: 0 }) });
  const usage = async () => {
    const { headers, body } = await api.call('GET', '/api/v1/account/usage', { key });
    return [body.data.usage, headers.get('x-ratelimit-remaining')];
  };
  const before = await usage();
  for (let view = 0; view < 6; view++)
    expect((await api.call('GET', path, { key: null, withoutPause: true })).status).toBe(200);
  expect(await usage()).toEqual(before);
});

test('at most twenty views of an account are made at once, and they leave its own calls free', async () => {
  const { path, key } = await makeLink();
  const { opened, open: letThrough } = createGate();
  api.tracking.answer({
    listApplications: async () => {
      await opened;
      return { applications: apps, total: apps.length };
    },
    getTotals: async () => ({ apps: 1, keywords: 1, competitors: 0 }),
  });
  const views = Array.from({ length: 20 }, () => open(path));
  const waiting = () => api.tracking.requests.filter(({ method }) => method === 'listApplications').length;
  await until(() => waiting() === 20);
  expect(await open(path)).toMatchObject({
    status: 503,
    data: { page: 'problem', model: { canRetry: true } },
  });
  expect((await api.call('GET', '/api/v1/account/usage', { key })).status).toBe(200);
  letThrough();
  for (const view of views) expect((await view).status).toBe(200);
});

test('the page shows its other parts while a service does not answer', async () => {
  const { path } = await makeLink();
  api.scoring.fail('getScoreHistory', 'SERVICE_UNAVAILABLE');
  api.tracking.fail('listChanges', 'SERVICE_UNAVAILABLE');
  const { status, data } = await open(path);
  expect([status, data.model]).toMatchObject([
    200,
    {
      visibility: [],
      changes: [],
      missing: { visibility: 'no_answer', changes: 'no_answer' },
      ranks: { rows: [{}] },
    },
  ]);
});

test('the log has the route, and not the address', async () => {
  const { path } = await makeLink();
  await open(path);
  await open(`${path}%20x`);
  const secret = path.split('/').at(-1) ?? '';
  expect(JSON.stringify(api.lines)).not.toContain(secret);
  expect(JSON.stringify(api.lines)).toContain('/dashboard/shared/{secret}');
});
