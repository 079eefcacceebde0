import { AppError, type ErrorCode } from '@shelfwise/runtime/errors';
import { routes } from '../src/routes/index.ts';
import { plansWith } from './harness/plans-with.ts';
import {
  healthReport,
  inspectReply,
  simulateReply,
  simulationReply,
  trackedListing,
} from './harness/sample-replies.ts';
import { type RouteSamples, sampleRequests } from './harness/sample-requests.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway({ plans: plansWith({ one: { api_requests_per_month: 1 } }) });
const spending = routes.filter(({ cost }) => cost === 1);

function answerWell(): void {
  api.tracking.answer({
    getTotals: async () => ({ apps: 1, keywords: 0, competitors: 0 }),
    getTrackedListing: async () => ({ listing: trackedListing }),
    listKeywordTracking: async () => ({ rows: [] }),
  });
  api.scoring.answer({
    getHealth: async () => ({ report: healthReport, timeline: [] }),
    checkMetadata: async () => ({ valid: true, fields: [], notes: [], keywords: null }),
    simulateListing: async () => simulateReply,
    listSimulations: async () => ({ runs: [], total: 0 }),
    getSimulation: async () => simulationReply,
    inspectKeyword: async () => inspectReply,
  });
}

function failWith(code: ErrorCode): void {
  const fail = async (): Promise<never> => {
    throw new AppError(code, 'This is why.');
  };
  api.scoring.answer({
    ...{ getHealth: fail, checkMetadata: fail, simulateListing: fail },
    ...{ listSimulations: fail, getSimulation: fail, inspectKeyword: fail },
  });
}

async function spentOf(key: string): Promise<number> {
  return (await api.call('GET', '/api/v1/account/usage', { key })).body.data.usage.api_requests;
}

beforeEach(answerWell);

test('an API request is spent by the endpoints that say so, and by no other', () => {
  expect(spending.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'get /api/v1/applications/{id}/aso-health',
    'post /api/v1/metadata/check',
    'post /api/v1/metadata/simulate',
    'get /api/v1/metadata/simulate/history',
    'get /api/v1/metadata/simulate/history/{id}',
    'get /api/v1/keywords/inspect',
  ]);
});

describe.each(spending.map((route) => [route.operationId, route.method.toUpperCase()]))(
  '%s',
  (id, method) => {
    const samples = sampleRequests[id] as RouteSamples;
    const ask = (key: string, { path, body } = samples.good) => api.call(method, path, { key, body });

    test('spends one API request, and when the month has no more it is QUOTA_EXCEEDED with how the month stands', async () => {
      const { key } = await api.createKey('one');
      expect((await ask(key)).status).toBe(200);
      expect(await spentOf(key)).toBe(1);
      api.scoring.asked.length = 0;
      const refused = await ask(key);
      expect(refused).toMatchObject({ status: 429, body: { code: 'QUOTA_EXCEEDED' } });
      expect(refused.body.usage).toEqual({
        api_requests: 1,
        api_requests_per_month: 1,
        renews_at: '2026-07-01T00:00:00.000Z',
      });
      expect(api.scoring.asked).toEqual([]);
      expect(await spentOf(key)).toBe(1);
    });

    test('gives the request back when it ends in a 5xx, keeps it for a 4xx, and spends none on wrong parameters', async () => {
      const { key } = await api.createKey();
      for (const code of ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'] as const) {
        failWith(code);
        expect((await ask(key)).body.code).toBe(code);
      }
      const [wrong] = samples.bad;
      expect((await ask(key, wrong)).status).toBe(400);
      expect(await spentOf(key)).toBe(0);
      failWith('INVALID_PARAMS');
      expect((await ask(key)).status).toBe(400);
      expect(await spentOf(key)).toBe(1);
    });
  },
);
