import type { PageData } from '@shelfwise/dashboard/page-data';
import { createDashboardPages } from '../src/dashboard/pages/dashboard-pages.ts';
import { openBrowser } from './harness/browser.ts';
import { pageHead } from './harness/page-head.ts';
import { nicheAnalysis, trackedListing } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway({
  dashboard: {
    publicUrl: undefined,
    createPages: createDashboardPages({
      assets: {
        head: pageHead(),
        recall: () => null,
        find: async () => null,
      },
      readStoreState: async () => ({ isSample: true, troubles: [] }),
      listSessions: async () => [],
      listConnections: async () => [],
      canAssistantsConnect: false,
      findDraft: async () => null,
      publicUrl: () => 'https://aso.example.com',
      now: () => new Date('2026-06-15T12:00:00Z'),
    }),
  },
});

const row = {
  id: 3,
  topic: 'habit tracker',
  storefront: { store: 'ITUNES' as const, country: 'US', lang: 'en-US' },
  clusters_count: 2,
  keywords_count: 12,
  top_opportunity_score: 47.2,
  created_at: new Date('2026-06-10T08:00:00Z'),
  analyzed_at: new Date('2026-06-10T07:00:00Z'),
};
const asked = '/niches?topic=Habit%20Tracker&store=ITUNES&country=us&lang=en';

beforeEach(() => {
  api.tracking.answer({
    listApplications: async () => ({
      applications: [{ listing: trackedListing, keyword_count: 2, aso_health: null }],
      total: 1,
    }),
  });
  api.niche.answer({
    listNiches: async () => ({
      niches: [row, { ...row, id: 2, top_opportunity_score: undefined }],
      total: 2,
    }),
    findNiche: async () => ({ analysis: nicheAnalysis, progress: null }),
  });
});

async function open(path: string) {
  const { key, id } = await api.createKey();
  const browser = openBrowser(api);
  await browser.signInByKey(key);
  const { status, body } = await browser.sendAs({ accept: 'application/json' }, 'GET', path);
  const { model } = body as Extract<PageData, { page: 'niches' }>;
  return { status, model, accountId: id, key };
}

test('the page lists past analyses with their age, and begins nothing', async () => {
  const { status, model } = await open('/niches');
  expect(status).toBe(200);
  expect(model).toMatchObject({
    past: [
      { topic: 'habit tracker', best: { value: 47.2 }, analyzedAt: '2026-06-10T07:00:00.000Z' },
      { best: { state: 'not_applicable' } },
    ],
    isPastKnown: true,
    hasMore: false,
    asked: null,
    analysis: null,
  });
  expect(api.niche.requests.map(({ method }) => method)).toEqual(['listNiches']);
});

test('a kept analysis is shown free: its clusters with the gap and keywords with values', async () => {
  const { model, accountId, key } = await open(asked);
  const [cluster] = nicheAnalysis.clusters;
  expect(model.analysis?.clusters[0]).toMatchObject({
    name: cluster?.name,
    concept: cluster?.app_concept,
    opportunity: { state: 'known', value: cluster?.opportunity_score },
    keywords: cluster?.keywords.map((keyword) => ({
      name: keyword.name,
      traffic: { value: keyword.traffic_score },
    })),
  });
  expect(model).toMatchObject({ progress: null, problem: null });
  const { method, request } = api.niche.requests.find((one) => one.method === 'findNiche') ?? {};
  expect([method, request]).toEqual([
    'findNiche',
    {
      account_id: accountId,
      topic: 'habit tracker',
      storefront: { store: 'ITUNES', country: 'US', lang: 'en-US' },
    },
  ]);
  expect(api.niche.requests.map((one) => one.method)).not.toContain('analyzeNiche');
  api.tracking.answer({ getTotals: async () => ({ apps: 1, keywords: 0, competitors: 0 }) });
  const { body } = await api.call('GET', '/api/v1/account/usage', { key });
  expect(body.data.usage).toMatchObject({ api_requests: 0, niche_analyses: 0 });
});

test.each([
  [
    { is_running: false, ahead: 3 },
    { isRunning: false, ahead: { value: 3 }, phase: null, read: { state: 'unknown' } },
  ],
  [
    { is_running: true, ahead: 0, phase: 'reading', candidates: 120, read: 40 },
    { isRunning: true, phase: 'reading', candidates: { value: 120 }, read: { value: 40 } },
  ],
])('one that is under way shows how far it is: %j', async (progress, shown) => {
  api.niche.answer({ findNiche: async () => ({ analysis: null, progress }) });
  expect((await open(asked)).model).toMatchObject({ progress: shown, analysis: null });
});

test('why a topic cannot be analyzed is said, and the rest of the page is shown', async () => {
  const { status, model } = await open('/niches?topic=a&store=ITUNES&country=US&lang=en');
  expect(status).toBe(200);
  expect(model).toMatchObject({
    problem: expect.stringContaining('topic must have 2 to 100 characters'),
    past: [{}, {}],
  });
  api.niche.failAll('SERVICE_UNAVAILABLE');
  expect((await open(asked)).model).toMatchObject({ isPastKnown: false, past: [], analysis: null });
});

test('an address that lacks a part of the topic asks for none', async () => {
  for (const query of ['?topic=habits', '?topic=habits&store=NOKIA&country=US&lang=en', '?topic=a&topic=b'])
    expect((await open(`/niches${query}`)).model.asked).toBeNull();
});
