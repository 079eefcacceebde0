import { nicheRow, storefront } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/niches/history';

test('each analysis is one row; without clusters it has no best score', async () => {
  const empty = {
    ...nicheRow,
    id: 1,
    clusters_count: 0,
    keywords_count: 0,
    top_opportunity_score: null,
    analyzed_at: null,
  };
  api.niche.answer({ listNiches: async () => ({ niches: [nicheRow, empty], total: 2 }) });
  const { status, body } = await api.call('GET', path);
  expect(status).toBe(200);
  const createdAt = '2026-06-15T11:58:00.000Z';
  const topic = 'habit tracker';
  expect(body).toEqual({
    data: [
      {
        id: 2,
        topic,
        ...storefront,
        clusters_count: 1,
        keywords_count: 2,
        top_opportunity_score: 47.2,
        created_at: createdAt,
        scored_at: '2026-06-15T11:50:00.000Z',
      },
      {
        id: 1,
        topic,
        ...storefront,
        clusters_count: 0,
        keywords_count: 0,
        top_opportunity_score: null,
        created_at: createdAt,
        scored_at: null,
      },
    ],
    meta: { total: 2, page: 1, per_page: 50, total_pages: 1, has_more: false },
  });
  expect(api.niche.requests).toMatchObject([
    { method: 'listNiches', request: { account_id: api.accountId, page: 1, per_page: 50 } },
  ]);
});

test.each([
  ['page=2', { page: 2, per_page: 50, total_pages: 9, has_more: true }],
  ['page=3&per_page=200', { page: 3, per_page: 200, total_pages: 3, has_more: false }],
])('?%s reaches the service, and meta describes the page', async (query, meta) => {
  api.niche.answer({ listNiches: async () => ({ niches: [], total: 401 }) });
  const { body } = await api.call('GET', `${path}?${query}`);
  expect(body).toEqual({ data: [], meta: { total: 401, ...meta } });
  expect(api.niche.requests[0]?.request).toMatchObject({ page: meta.page, per_page: meta.per_page });
});
