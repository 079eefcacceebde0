import { AppError } from '@shelfwise/runtime/errors';
import { deliveryReply, shownDelivery } from './harness/alert-channels.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/alerts/deliveries/8/redeliver';

test('a delivery is sent again, and its outcome is the answer', async () => {
  api.notify.answer({ redeliverAlerts: async () => ({ delivery: deliveryReply }) });
  const { status, body } = await api.call('POST', path);
  expect([status, body]).toEqual([200, { data: shownDelivery }]);
  expect(api.notify.requests.at(-1)?.request).toEqual({ account_id: api.accountId, id: 8 });
});

test.each(['NOT_FOUND', 'PLAN_LIMIT'] as const)('%s comes from notify', async (code) => {
  api.notify.answer({
    redeliverAlerts: async () => {
      throw new AppError(code, 'This is why.');
    },
  });
  expect(refusalOf(await api.call('POST', path))).toMatch(code);
});
