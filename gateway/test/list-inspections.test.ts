import { storefront } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/keywords/inspect/history';
const inspection = {
  id: 9,
  keyword_name: 'habit tracker',
  storefront,
  difficulty_score: 41,
  traffic_score: 0,
  is_partial: true,
  last_inspected_at: new Date('2026-06-14T08:00:00Z'),
  scored_at: new Date('2026-06-13T08:00:00Z'),
};

test('each inspected keyword is one row, with the scores of its last inspection', async () => {
  const unmeasured = { ...inspection, id: 8, difficulty_score: null, traffic_score: null, scored_at: null };
  const inspections = [inspection, unmeasured];
  api.scoring.answer({ listInspections: async () => ({ inspections, total: 2 }) });
  const { body } = await api.call('GET', path);
  const { storefront: _, ...row } = inspection;
  const times = { last_inspected_at: '2026-06-14T08:00:00.000Z', scored_at: '2026-06-13T00:00:00.000Z' };
  const shown = { ...row, ...storefront, ...times };
  expect(body).toEqual({
    data: [shown, { ...shown, id: 8, difficulty_score: null, traffic_score: null, scored_at: null }],
    meta: { total: 2, page: 1, per_page: 50, total_pages: 1, has_more: false },
  });
  expect(api.scoring.requests).toMatchObject([
    { method: 'listInspections', request: { account_id: api.accountId, page: 1, per_page: 50 } },
  ]);
});

test.each([
  ['page=2', { page: 2, per_page: 50, total_pages: 9, has_more: true }],
  ['per_page=200', { page: 1, per_page: 200, total_pages: 3, has_more: true }],
  ['page=3&per_page=200', { page: 3, per_page: 200, total_pages: 3, has_more: false }],
  ['page=1000000&per_page=1', { page: 1_000_000, per_page: 1, total_pages: 401, has_more: false }],
])('?%s reaches the service, and meta describes the page', async (query, meta) => {
  api.scoring.answer({ listInspections: async () => ({ inspections: [], total: 401 }) });
  const { body } = await api.call('GET', `${path}?${query}`);
  expect(body).toEqual({ data: [], meta: { total: 401, ...meta } });
  expect(api.scoring.requests[0]?.request).toMatchObject({ page: meta.page, per_page: meta.per_page });
});
