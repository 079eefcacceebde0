import { channelReply, shownChannel } from './harness/alert-channels.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/alerts/channels';

beforeEach(() => {
  const off = { ...channelReply, id: 4, off_reason: 'NO_SUCCESS' as const, off_at: channelReply.created_at };
  api.notify.answer({ listAlertChannels: async () => ({ channels: [channelReply, off], total: 5 }) });
});

test('channels are listed in pages', async () => {
  const { body } = await api.call('GET', `${path}?page=2&per_page=2`);
  expect(body).toMatchObject({
    data: [
      shownChannel,
      { id: 4, is_enabled: false, off_reason: 'no_success', off_at: '2026-06-15T10:00:00.000Z' },
    ],
    meta: { total: 5, page: 2, total_pages: 3, has_more: true },
  });
  expect(api.notify.requests.at(-1)?.request).toEqual({ account_id: api.accountId, page: 2, per_page: 2 });
});

test('as CSV, a row is a channel', async () => {
  const { body } = await api.call('GET', path, { headers: { accept: 'text/csv' } });
  const [head, first] = String(body).split('\r\n');
  expect(head).toBe(Object.keys(shownChannel).join());
  expect(first).toBe(Object.values(shownChannel).join());
});
