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
