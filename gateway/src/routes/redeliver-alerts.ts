import { maxManualDeliveries } from '@shelfwise/facts/alerts/alert-channels';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { defineRoute } from './route/define-route.ts';
import { idParameter } from './route/fields.ts';
import { alertDelivery, sendDeadlineMs, toAlertDelivery, tooManyDeliveries } from './shapes/alert-channel.ts';

type Deps = { notify: Pick<Clients['notify'], 'redeliverAlerts'> };

export const redeliverAlerts = defineRoute({
  method: 'post',
  path: '/api/v1/alerts/deliveries/{delivery_id}/redeliver',
  operationId: 'redeliverAlerts',
  tag: 'Alerts',
  summary: 'Send a delivery again',
  description: `Sends it once more, whatever its state, with the same webhook-id, and shows what the receiver answered. One that waits stays scheduled unless this succeeds. An account sends at most ${maxManualDeliveries} tests and repeated deliveries an hour.`,
  cost: 0,
  services: ['notify'],
  deadlineMs: sendDeadlineMs,
  params: z.object({ delivery_id: idParameter('Id of the delivery, from the list of deliveries.') }),
  sample: { params: { delivery_id: 1 } },
  data: alertDelivery,
  errors: { NOT_FOUND: 'This account has no delivery with that id.', PLAN_LIMIT: tooManyDeliveries },
  async handler(deps: Deps, { account, params, call }) {
    const request = { account_id: account.id, id: params.delivery_id };
    const { delivery } = await deps.notify.redeliverAlerts(request, call);
    return { data: toAlertDelivery(delivery) };
  },
});
