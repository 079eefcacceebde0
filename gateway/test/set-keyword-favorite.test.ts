import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/keywords/7/apps/42/favorite';

test.each([true, false])('a keyword’s favorite mark becomes %s', async (isFavorite) => {
  api.tracking.answer({ setKeywordFavorite: async ({ account_id: _, ...row }) => row });
  const { body } = await api.call('PATCH', path, { body: { is_favorite: isFavorite } });
  expect(body).toEqual({ data: { keyword_id: 7, app_id: 42, is_favorite: isFavorite } });
  expect(api.tracking.requests[0]?.request).toEqual({
    account_id: api.accountId,
    keyword_id: 7,
    app_id: 42,
    is_favorite: isFavorite,
  });
});
