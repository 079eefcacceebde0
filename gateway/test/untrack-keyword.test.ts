import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();

test.each([false, true])(
  'a keyword is no longer tracked afterwards; already removed: %s',
  async (alreadyRemoved) => {
    api.tracking.answer({
      untrackKeyword: async (request) => ({
        keyword_id: request.keyword_id,
        app_id: request.app_id,
        already_removed: alreadyRemoved,
      }),
    });
    const { body } = await api.call('DELETE', '/api/v1/keywords/7/apps/42');
    expect(body).toEqual({ data: { keyword_id: 7, app_id: 42, already_removed: alreadyRemoved } });
    expect(api.tracking.requests[0]?.request).toEqual({
      account_id: api.accountId,
      keyword_id: 7,
      app_id: 42,
    });
  },
);
