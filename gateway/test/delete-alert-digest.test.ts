import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();

test('a digest is deleted', async () => {
  api.notify.answer({ deleteAlertDigest: async ({ id }) => ({ id, already_removed: true }) });
  const { body } = await api.call('DELETE', '/api/v1/alerts/digests/2');
  expect(body).toEqual({ data: { id: 2, already_removed: true } });
  expect(api.notify.requests.at(-1)?.request).toEqual({ account_id: api.accountId, id: 2 });
});
