import { AppError } from '@shelfwise/runtime/errors';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/keywords/7/apps/42/favorite';

test.each([true, false])('a keyword’s favorite mark becomes %s', async (isFavorite) => {
  api.tracking.answer({
    setKeywordFavorite: async ({ account_id: _, ...row }) => row,
  });
  const { status, body } = await api.call('PATCH', path, { body: { is_favorite: isFavorite } });
  expect(status).toBe(200);
  expect(body).toEqual({ data: { keyword_id: 7, app_id: 42, is_favorite: isFavorite } });
  expect(api.tracking.requests[0]?.request).toEqual({
    account_id: api.accountId,
    keyword_id: 7,
    app_id: 42,
    is_favorite: isFavorite,
  });
});

test('a keyword that is not tracked cannot be a favorite: 404', async () => {
  api.tracking.answer({
    setKeywordFavorite: async () => {
      throw new AppError('NOT_FOUND', 'This account does not track it.');
    },
  });
  expect(await api.call('PATCH', path, { body: { is_favorite: true } })).toMatchObject({
    status: 404,
    body: { code: 'NOT_FOUND' },
  });
});
