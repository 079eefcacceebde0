import type { PageData } from '@shelfwise/dashboard/page-data';
import { createDashboardPages } from '../src/dashboard/pages/dashboard-pages.ts';
import { openBrowser } from './harness/browser.ts';
import { pageHead } from './harness/page-head.ts';
import { competitorRelation, topChartReply, trackedListing } from './harness/sample-replies.ts';
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

const [first] = topChartReply.rows;
if (!first) throw new Error('the sample chart has no row');
const rival = competitorRelation.competitor?.listing?.app_id ?? '';
const rows = [
  { ...first, rank: 1, app_id: '281796108', delta: 2, is_new: false },
  { ...first, rank: 2, app_id: rival, delta: -1, is_new: false },
  { ...first, rank: 3, app_id: '5', delta: 0, is_new: true },
  { ...first, rank: 4, app_id: '6', delta: 0, is_new: false },
];

beforeEach(() => {
  api.tracking.answer({
    listApplications: async () => ({
      applications: [{ listing: trackedListing, keyword_count: 2, aso_health: null }],
      total: 1,
    }),
    listCompetitors: async () => ({ relations: [competitorRelation], total: 1 }),
  });
  const scores = [{ id: 42, score: 1, competitors: [{ app_id: rival, score: 2 }], day: '2026-06-15' }];
  api.scoring.answer({ compareVisibility: async () => ({ listings: scores }) });
  api.chart.answer({
    getTopChart: async () => ({ ...topChartReply, rows, has_day_before: true }),
    listChartCategories: async () => ({
      stores: [{ store: 'ITUNES' as const, categories: [{ key: 'OVERALL', label: 'Overall' }] }],
    }),
  });
});

async function open(path: string) {
  const { key } = await api.createKey();
  const browser = openBrowser(api);
  await browser.signInByKey(key);
  const { status, body } = await browser.sendAs({ accept: 'application/json' }, 'GET', path);
  return { status, key, model: (body as Extract<PageData, { page: 'charts' }>).model };
}

test('the kept chart shows movement, own apps and competitors, and reads no store', async () => {
  const { status, model, key } = await open('/charts');
  expect(status).toBe(200);
  expect(model.asked).toEqual({ store: 'ITUNES', country: 'US', category: 'OVERALL', collection: 'free' });
  expect(model.chart?.rows).toMatchObject([
    { mark: 'own', status: 'up', change: { state: 'known', value: 2 }, rank: { value: 1 } },
    { mark: 'rival', status: 'down', change: { value: -1 } },
    { mark: null, status: 'entered', change: { state: 'not_applicable' } },
    { mark: null, status: 'same', change: { value: 0 } },
  ]);
  expect(model.categories).toEqual({ ITUNES: [{ key: 'OVERALL', label: 'Overall' }], GPLAY: [] });
  const asked = api.chart.requests.find(({ method }) => method === 'getTopChart');
  expect(asked?.request).toMatchObject({ kept_only: true, limit: 200 });
  api.tracking.answer({ getTotals: async () => ({ apps: 1, keywords: 0, competitors: 0 }) });
  const { body } = await api.call('GET', '/api/v1/account/usage', { key });
  expect(body.data.usage.api_requests).toBe(0);
});

test('without a chart of the day before no movement is shown, instead of none', async () => {
  api.chart.answer({ getTopChart: async () => ({ ...topChartReply, rows, has_day_before: false }) });
  const { model } = await open('/charts');
  expect(model.chart?.rows.map(({ change, status }) => [change, status])).toEqual(
    rows.map(() => [{ state: 'unknown', reason: 'no_earlier_day' }, null]),
  );
});

test('a chart that nobody has read today is not read by looking', async () => {
  api.chart.fail('getTopChart', 'NOT_FOUND');
  expect((await open('/charts?collection=paid')).model).toMatchObject({
    asked: { collection: 'paid' },
    chart: null,
    problem: null,
  });
});

test('a wrong address says why, and a service that does not answer leaves the rest', async () => {
  const { status, model } = await open('/charts?store=GPLAY&country=XX&category=NOPE');
  expect(status).toBe(200);
  expect(model).toMatchObject({ chart: null, problem: expect.stringContaining('country') });
  api.scoring.failAll('SERVICE_UNAVAILABLE');
  expect((await open('/charts')).model).toMatchObject({
    areRivalsKnown: false,
    chart: { rows: [{ mark: 'own' }, { mark: null }, {}, {}] },
  });
});

test('the public endpoint reads the store when the chart is not kept', async () => {
  await api.call('GET', '/api/v1/top-charts?store=ITUNES&country=US');
  expect(api.chart.requests[0]?.request).toMatchObject({ kept_only: false });
});
