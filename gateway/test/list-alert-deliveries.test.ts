import { deliveryReply, shownDelivery } from './harness/alert-channels.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/alerts/channels/3/deliveries';

beforeEach(() => {
  const untried = {
    ...deliveryReply,
    id: 9,
    last_tried_at: null,
    status: null,
    duration_ms: null,
    failure: null,
    answer: null,
  };
  api.notify.answer({
    listAlertDeliveries: async () => ({ deliveries: [untried, deliveryReply], total: 2 }),
  });
});

test('deliveries are listed in pages', async () => {
  const { body } = await api.call('GET', `${path}?per_page=2`);
  expect(body).toMatchObject({
    data: [{ id: 9, last_tried_at: null, status: null, failure: null, answer: null }, shownDelivery],
    meta: { total: 2, page: 1, has_more: false },
  });
  expect(api.notify.requests.at(-1)?.request).toEqual({
    account_id: api.accountId,
    channel_id: 3,
    page: 1,
    per_page: 2,
  });
});

test('as CSV, a row is a delivery, and ids of alerts are one cell', async () => {
  const { body } = await api.call('GET', path, { headers: { accept: 'text/csv' } });
  const [head, , second] = String(body).split('\r\n');
  expect(head).toMatch(/^id,channel_id,webhook_id,.*,alert_ids$/);
  expect(second).toMatch(/^8,3,msg_1,waiting,.*,12 13$/);
});
