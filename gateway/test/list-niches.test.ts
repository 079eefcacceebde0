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
  api.niche.answer({ listNiches: async () => ({ niches: [nicheRow, empty], total: 7 }) });
  const { body } = await api.call('GET', `${path}?page=2&per_page=3`);
  const shown = {
    id: 2,
    topic: 'habit tracker',
    ...storefront,
    clusters_count: 1,
    keywords_count: 2,
    top_opportunity_score: 47.2,
    created_at: '2026-06-15T11:58:00.000Z',
    scored_at: '2026-06-15T11:50:00.000Z',
  };
  const unknown = { clusters_count: 0, keywords_count: 0, top_opportunity_score: null, scored_at: null };
  expect(body).toEqual({
    data: [shown, { ...shown, id: 1, ...unknown }],
    meta: { total: 7, page: 2, per_page: 3, total_pages: 3, has_more: true },
  });
  expect(api.niche.requests).toMatchObject([
    { method: 'listNiches', request: { account_id: api.accountId, page: 2, per_page: 3 } },
  ]);
});
