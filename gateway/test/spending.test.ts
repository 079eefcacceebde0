import { routes } from '../src/routes/index.ts';
import { answerEverything, failWith } from './harness/fake-answers.ts';
import { plansWith } from './harness/plans-with.ts';
import { type RouteSamples, sampleRequests } from './harness/sample-requests.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway({
  plans: plansWith({
    one: { api_requests_per_month: 1 },
    nothing: { api_requests_per_month: 0 },
    unused: {
      keyword_inspections_per_month: 0,
      metadata_simulations_per_month: 0,
      autocomplete_queries_per_month: 0,
      niche_analyses_per_month: 0,
    },
  }),
});
const spending = routes.filter(({ cost }) => cost === 1);

async function readSpent(key: string): Promise<number> {
  return (await api.call('GET', '/api/v1/account/usage', { key })).body.data.usage.api_requests;
}

/** Counts the requests to services, without those for the totals of the usage. */
function countServiceRequests(): number {
  return api.requests().filter(({ method }) => method !== 'getTotals').length;
}

beforeEach(() => answerEverything(api.services));

test('only these endpoints spend an API request', () => {
  expect(spending.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'get /api/v1/applications/{id}/aso-health',
    'post /api/v1/metadata/check',
    'post /api/v1/metadata/simulate',
    'get /api/v1/metadata/simulate/history',
    'get /api/v1/metadata/simulate/history/{id}',
    'get /api/v1/keywords/inspect',
    'get /api/v1/autocomplete',
    'get /api/v1/niches',
    'get /api/v1/top-charts',
    'get /api/v1/top-charts/categories',
  ]);
});

describe.each(spending.map((route) => [route.operationId, route.method.toUpperCase()]))(
  '%s',
  (id, method) => {
    const samples = sampleRequests[id] as RouteSamples;
    const ask = (key: string, { path, body } = samples.good) => api.call(method, path, { key, body });

    test('spends one API request, and without a request left it answers QUOTA_EXCEEDED with the usage', async () => {
      const { key } = await api.createKey('one');
      expect((await ask(key)).status).toBe(200);
      expect(await readSpent(key)).toBe(1);
      const before = countServiceRequests();
      const refused = await ask(key);
      expect(refused).toMatchObject({ status: 429, body: { code: 'QUOTA_EXCEEDED' } });
      expect(refused.body.error).toContain('The one API request of this month is spent.');
      expect(refused.body.usage).toEqual({
        api_requests: 1,
        api_requests_per_month: 1,
        renews_at: '2026-07-01T00:00:00.000Z',
      });
      expect(countServiceRequests()).toBe(before);
      expect(await readSpent(key)).toBe(1);
    });

    test('reports every wrong parameter before an exceeded quota or a reached cap, and spends nothing', async () => {
      const [spent, capped] = [await api.createKey('nothing'), await api.createKey('unused')];
      for (const { key } of [spent, capped])
        for (const wrong of samples.bad) {
          const { status, body } = await ask(key, wrong);
          expect([wrong, status, body.code]).toEqual([wrong, 400, 'INVALID_PARAMS']);
        }
      expect(countServiceRequests()).toBe(0);
      expect([await readSpent(spent.key), await readSpent(capped.key)]).toEqual([0, 0]);
    });

    test('refunds the request after a 5xx, spends it on a 4xx, but never on a wrong parameter', async () => {
      const { key } = await api.createKey();
      for (const code of ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'] as const) {
        failWith(api.services, code);
        expect((await ask(key)).body.code).toBe(code);
      }
      const [wrong] = samples.bad;
      expect((await ask(key, wrong)).status).toBe(400);
      expect(await readSpent(key)).toBe(0);
      // A wrong parameter that only a service can detect costs nothing either.
      failWith(api.services, 'INVALID_PARAMS');
      expect((await ask(key)).status).toBe(400);
      expect(await readSpent(key)).toBe(0);
      failWith(api.services, 'PLAN_REQUIRED');
      expect((await ask(key)).status).toBe(403);
      expect(await readSpent(key)).toBe(1);
    });
  },
);
