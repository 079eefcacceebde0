import { deliveryDays } from '@shelfwise/facts/alerts/alert-channels';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { csvTable } from './route/csv-table.ts';
import { defineRoute } from './route/define-route.ts';
import { idParameter } from './route/fields.ts';
import { pagedList, pageFields } from './route/paged-list.ts';
import { alertDelivery, toAlertDelivery } from './shapes/alert-channel.ts';
import * as shapes from './shapes/shapes.ts';

type Deps = { notify: Pick<Clients['notify'], 'listAlertDeliveries'> };
type Delivery = z.output<typeof alertDelivery>;

/** Ids of alerts are in one cell, separated by spaces. */
const csvRow = alertDelivery.omit({ alert_ids: true }).extend({ alert_ids: z.string() });

export const listAlertDeliveries = defineRoute({
  ...pagedList(alertDelivery, csvTable(csvRow, toCsvRows)),
  path: '/api/v1/alerts/channels/{channel_id}/deliveries',
  operationId: 'listAlertDeliveries',
  tag: 'Alerts',
  summary: 'List the deliveries of a channel',
  description: `What was sent to a channel in the last ${deliveryDays} days, and what waits, newest first.`,
  cost: 0,
  services: ['notify'],
  params: z.object({ channel_id: idParameter('Id of the channel, from the list of channels.') }),
  query: z.object(pageFields),
  sample: { params: { channel_id: 1 } },
  errors: { NOT_FOUND: 'This account has no channel with that id.' },
  async handler(deps: Deps, { account, params, query, call }) {
    const { page, per_page: perPage } = query;
    const request = {
      account_id: account.id,
      channel_id: params.channel_id,
      page,
      per_page: perPage,
    };
    const { deliveries, total } = await deps.notify.listAlertDeliveries(request, call);
    return { data: deliveries.map(toAlertDelivery), meta: shapes.toPaginationMeta(total, query) };
  },
});

function* toCsvRows(deliveries: readonly Delivery[]): Generator<z.output<typeof csvRow>> {
  for (const { alert_ids: ids, ...delivery } of deliveries) yield { ...delivery, alert_ids: ids.join(' ') };
}
