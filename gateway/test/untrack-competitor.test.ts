import { AppError } from '@shelfwise/runtime/errors';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/competitors/5';

test.each([true, false])('the answer says whether this call removed the competitor: %s', async (removed) => {
  api.tracking.answer({ untrackCompetitor: async () => ({ id: 5, removed }) });
  const { status, body } = await api.call('DELETE', path);
  expect([status, body]).toEqual([200, { data: { id: 5, removed } }]);
  expect(api.tracking.requests).toMatchObject([
    { method: 'untrackCompetitor', request: { account_id: api.accountId, id: 5 } },
  ]);
});

test('an unknown relation, or one of another account, is 404 NOT_FOUND', async () => {
  api.tracking.answer({
    untrackCompetitor: async () => {
      throw new AppError('NOT_FOUND', 'This account has no competitor with that id.');
    },
  });
  expect(await api.call('DELETE', path)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
});
