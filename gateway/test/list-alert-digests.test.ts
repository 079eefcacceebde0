import { digestReply, shownDigest } from './harness/alert-digests.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/alerts/digests';

beforeEach(() => {
  api.notify.answer({ listAlertDigests: async () => ({ digests: [digestReply], total: 3 }) });
});

test('digests are listed in pages', async () => {
  const { body } = await api.call('GET', `${path}?page=2&per_page=1`);
  expect(body).toMatchObject({ data: [shownDigest], meta: { total: 3, page: 2, has_more: true } });
  expect(api.notify.requests.at(-1)?.request).toEqual({ account_id: api.accountId, page: 2, per_page: 1 });
});

test('as CSV, a row is a digest', async () => {
  const { body } = await api.call('GET', path, { headers: { accept: 'text/csv' } });
  const [head, first] = String(body).split('\r\n');
  expect(head).toBe(Object.keys(shownDigest).join());
  expect(first).toBe(Object.values(shownDigest).join());
});
