import { autocompleteQuery, storefront } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/autocomplete/history';

test('each prefix is one row, with the number of its suggestions', async () => {
  const queries = [autocompleteQuery, { ...autocompleteQuery, id: 3, suggestion_count: 0 }];
  api.storeFetch.answer({ listAutocompletes: async () => ({ queries, total: 7 }) });
  const { body } = await api.call('GET', `${path}?page=2&per_page=3`);
  const shown = {
    id: 4,
    prefix: 'habit',
    ...storefront,
    suggestion_count: 2,
    last_queried_at: '2026-06-14T08:00:00.000Z',
  };
  expect(body).toEqual({
    data: [shown, { ...shown, id: 3, suggestion_count: 0 }],
    meta: { total: 7, page: 2, per_page: 3, total_pages: 3, has_more: true },
  });
  expect(api.storeFetch.requests).toMatchObject([
    { method: 'listAutocompletes', request: { account_id: api.accountId, page: 2, per_page: 3 } },
  ]);
});
