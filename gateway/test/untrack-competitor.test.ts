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
