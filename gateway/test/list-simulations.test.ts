import { simulationRun, storefront } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/metadata/simulate/history';

test('each distinct draft is one row, with its scores and those of the app at that time', async () => {
  api.scoring.answer({ listSimulations: async () => ({ runs: [simulationRun], total: 1 }) });
  const { body } = await api.call('GET', path);
  expect(body).toEqual({
    data: [
      {
        id: 12,
        app_id: 42,
        ...storefront,
        title: 'Draft',
        aso_health: { global: 60, coverage: 70, targeting: 50, appeal: 62 },
        baseline_global: 62,
        edited: true,
        runs_count: 3,
        last_run_at: '2026-06-14T08:00:00.000Z',
        delta_global: 5,
        scoring_version: 4,
      },
    ],
    meta: { total: 1, page: 1, per_page: 50, total_pages: 1, has_more: false },
  });
  expect(api.scoring.requests).toMatchObject([
    {
      method: 'listSimulations',
      request: { account_id: api.accountId, page: 1, per_page: 50, search: null },
    },
  ]);
});

test.each([
  ['too few words read', { aso_health: null, baseline_global: null }],
  ['a title that could not be read', { title: null }],
  ['no app to compare with', { app_id: null, baseline_global: null, delta_global: null }],
])('of a draft with %s the unknown is null, instead of 0 or absent', async (_what, unknown) => {
  const run = { ...simulationRun, ...unknown } as typeof simulationRun;
  api.scoring.answer({ listSimulations: async () => ({ runs: [run], total: 1 }) });
  expect((await api.call('GET', path)).body.data[0]).toMatchObject(unknown);
});

test('page, per_page and search reach the service; search is literal', async () => {
  api.scoring.answer({ listSimulations: async () => ({ runs: [], total: 401 }) });
  const search = '.*(a|b) 50% „ü“';
  const query = new URLSearchParams({ page: '2', per_page: '200', search });
  const { body } = await api.call('GET', `${path}?${query}`);
  expect(body.meta).toEqual({ total: 401, page: 2, per_page: 200, total_pages: 3, has_more: true });
  expect(api.scoring.requests[0]?.request).toMatchObject({ page: 2, per_page: 200, search });
});

test('an empty search finds all, and one of 200 characters is accepted, also of emoji', async () => {
  api.scoring.answer({ listSimulations: async () => ({ runs: [], total: 0 }) });
  await api.call('GET', `${path}?search=`);
  await api.call('GET', `${path}?search=${'x'.repeat(200)}`);
  await api.call('GET', `${path}?search=${'😀'.repeat(200)}`);
  expect(api.scoring.requests.map(({ request }) => request)).toMatchObject([
    { search: null },
    { search: 'x'.repeat(200) },
    { search: '😀'.repeat(200) },
  ]);
});
