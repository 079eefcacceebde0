import { AppError } from '@shelfwise/runtime/errors';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/account/usage';

test('the usage shows current totals and this month’s use, next to the limits of the plan', async () => {
  api.tracking.answer({ getTotals: async () => ({ apps: 2, keywords: 30, competitors: 1 }) });
  const { status, body } = await api.call('GET', path);
  expect(status).toBe(200);
  expect(body).toEqual({
    data: {
      plan: 'unlimited',
      usage: {
        apps: 2,
        keywords: 30,
        competitors: 1,
        keyword_inspections: 0,
        niche_analyses: 0,
        autocomplete_queries: 0,
        metadata_simulations: 0,
        api_requests: 0,
      },
      limits: {
        apps: null,
        keywords: null,
        competitors: null,
        keyword_inspections_per_month: null,
        niche_analyses_per_month: null,
        autocomplete_queries_per_month: null,
        metadata_simulations_per_month: null,
        api_requests_per_month: 10_000,
        historical_data_days: null,
      },
      export_csv: true,
      export_pdf: false,
      ai_inspections: false,
    },
  });
});

test('reading the usage spends no API request', async () => {
  api.tracking.answer({ getTotals: async () => ({ apps: 0, keywords: 0, competitors: 0 }) });
  await api.call('GET', path);
  expect((await api.call('GET', path)).body.data.usage.api_requests).toBe(0);
});

test('totals that cannot be read are an error, not zeros', async () => {
  api.tracking.answer({
    getTotals: async () => {
      throw new AppError('SERVICE_UNAVAILABLE', 'The tracking service cannot be reached. Try again.');
    },
  });
  const answer = await api.call('GET', path);
  expect(answer).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
});
