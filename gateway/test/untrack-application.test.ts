import { AppError } from '@shelfwise/runtime/errors';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();

test.each([false, true])(
  'an application is no longer tracked afterwards; already removed: %s',
  async (alreadyRemoved) => {
    api.tracking.answer({ untrackApplication: async ({ id }) => ({ id, already_removed: alreadyRemoved }) });
    const { status, body } = await api.call('DELETE', '/api/v1/applications/42');
    expect(status).toBe(200);
    expect(body).toEqual({ data: { id: 42, already_removed: alreadyRemoved } });
    expect(api.tracking.requests[0]?.request).toEqual({ account_id: api.accountId, id: 42 });
  },
);

test('an application that the account never tracked is 404', async () => {
  api.tracking.answer({
    untrackApplication: async () => {
      throw new AppError('APP_NOT_FOUND', 'This account never tracked it.');
    },
  });
  const answer = await api.call('DELETE', '/api/v1/applications/9007199254740991');
  expect(answer).toMatchObject({ status: 404, body: { code: 'APP_NOT_FOUND' } });
});
