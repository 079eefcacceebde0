import { autocompleteQuery, storefront } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/autocomplete/history';

test('each prefix is one row, with the number of its suggestions', async () => {
  const queries = [autocompleteQuery, { ...autocompleteQuery, id: 3, suggestion_count: 0 }];
  api.storeFetch.answer({ listAutocompletes: async () => ({ queries, total: 2 }) });
  const { status, body } = await api.call('GET', path);
  expect(status).toBe(200);
  const shown = {
    id: 4,
    prefix: 'habit',
    ...storefront,
    suggestion_count: 2,
    last_queried_at: '2026-06-14T08:00:00.000Z',
  };
  expect(body).toEqual({
    data: [shown, { ...shown, id: 3, suggestion_count: 0 }],
    meta: { total: 2, page: 1, per_page: 50, total_pages: 1, has_more: false },
  });
  expect(api.storeFetch.requests).toMatchObject([
    { method: 'listAutocompletes', request: { account_id: api.accountId, page: 1, per_page: 50 } },
  ]);
});

test.each([
  ['page=2', { page: 2, per_page: 50, total_pages: 9, has_more: true }],
  ['page=3&per_page=200', { page: 3, per_page: 200, total_pages: 3, has_more: false }],
])('?%s reaches the service, and meta describes the page', async (query, meta) => {
  api.storeFetch.answer({ listAutocompletes: async () => ({ queries: [], total: 401 }) });
  const { body } = await api.call('GET', `${path}?${query}`);
  expect(body).toEqual({ data: [], meta: { total: 401, ...meta } });
  expect(api.storeFetch.requests[0]?.request).toMatchObject({ page: meta.page, per_page: meta.per_page });
});
