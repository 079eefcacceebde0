import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();

test('a rule is deleted once', async () => {
  const removed = new Set<number>();
  api.notify.answer({
    deleteAlertRule: async ({ id }) => {
      const isRemoved = removed.has(id);
      removed.add(id);
      return { id, already_removed: isRemoved };
    },
  });
  const remove = async () => (await api.call('DELETE', '/api/v1/alerts/rules/4')).body;
  expect(await remove()).toEqual({ data: { id: 4, already_removed: false } });
  expect(api.notify.requests.at(-1)?.request).toEqual({ account_id: api.accountId, id: 4 });
  expect(await remove()).toEqual({ data: { id: 4, already_removed: true } });
});
