import type { ErrorCode } from '@shelfwise/runtime/errors';
import { toSampleRequest } from '../../testing/sample-request.ts';
import { routes } from '../src/routes/index.ts';
import { invalidRequestsOf } from './harness/invalid-requests.ts';
import { plansWith } from './harness/plans-with.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway({
  plans: plansWith({
    nothing: { api_requests_per_month: 0 },
    unused: {
      keyword_inspections_per_month: 0,
      metadata_simulations_per_month: 0,
      autocomplete_queries_per_month: 0,
      niche_analyses_per_month: 0,
    },
  }),
});

/** Makes every service fail, except for the totals of the usage. */
function failWith(code: ErrorCode): void {
  for (const service of Object.values(api.services)) service.failAll(code);
  api.tracking.answer({ getTotals: async () => ({ apps: 1, keywords: 0, competitors: 0 }) });
}

async function readSpent(key: string): Promise<number> {
  return (await api.call('GET', '/api/v1/account/usage', { key })).body.data.usage.api_requests;
}

/** Counts the requests to services, without those for the totals of the usage. */
function countServiceRequests(): number {
  return api.requests().filter(({ method }) => method !== 'getTotals').length;
}

const free = routes.filter(({ cost }) => cost === 0);

test.each(free.map((route) => [route.operationId, route] as const))(
  '%s is answered without a request left, and spends none, not even on a 4xx of a service',
  async (_operationId, route) => {
    failWith('PLAN_REQUIRED');
    const { path, body } = toSampleRequest(route);
    const { key } = await api.createKey('nothing');
    const { status } = await api.call(route.method.toUpperCase(), path, { key, body });
    expect([200, 403]).toContain(status);
    const { key: unlimited } = await api.createKey();
    await api.call(route.method.toUpperCase(), path, { key: unlimited, body });
    expect(await readSpent(unlimited)).toBe(0);
  },
);

const spending = routes.filter(({ cost }) => cost === 1);

describe.each(spending.map((route) => [route.operationId, route] as const))('%s', (_operationId, route) => {
  // One for each set of wrong fields.
  const invalid = new Map(invalidRequestsOf(route).map((request) => [request.fields.join(), request]));
  const ask = (key: string, { path, body } = toSampleRequest(route)) =>
    api.call(route.method.toUpperCase(), path, { key, body });

  test('without a request left it answers QUOTA_EXCEEDED, and calls no service', async () => {
    failWith('INTERNAL_ERROR');
    const { key } = await api.createKey('nothing');
    expect(await ask(key)).toMatchObject({ status: 429, body: { code: 'QUOTA_EXCEEDED' } });
    expect(countServiceRequests()).toBe(0);
    expect(await readSpent(key)).toBe(0);
  });

  test('reports every wrong parameter before an exceeded quota or a reached cap, and spends nothing', async () => {
    failWith('INTERNAL_ERROR');
    for (const plan of ['nothing', 'unused']) {
      const { key } = await api.createKey(plan);
      for (const wrong of invalid.values()) {
        const { status, body } = await ask(key, wrong);
        expect([wrong, status, body.code]).toEqual([wrong, 400, 'INVALID_PARAMS']);
      }
      expect(await readSpent(key)).toBe(0);
    }
    expect(countServiceRequests()).toBe(0);
  });

  test('refunds the request after a 5xx, spends it on a 4xx, but never on a wrong parameter', async () => {
    const { key } = await api.createKey();
    const ofStore = 'STORE_FETCH_FAILED' in route.errors ? (['STORE_FETCH_FAILED'] as const) : [];
    for (const code of ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE', ...ofStore] as const) {
      failWith(code);
      expect((await ask(key)).body.code).toBe(code);
    }
    expect(await readSpent(key)).toBe(0);
    // A wrong parameter that only a service can detect costs nothing either.
    failWith('INVALID_PARAMS');
    expect((await ask(key)).status).toBe(400);
    expect(await readSpent(key)).toBe(0);
    failWith('PLAN_REQUIRED');
    expect((await ask(key)).status).toBe(403);
    expect(await readSpent(key)).toBe(1);
  });
});
