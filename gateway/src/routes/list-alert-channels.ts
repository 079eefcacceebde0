import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { defineRoute } from './route/define-route.ts';
import { pagedList, pageFields } from './route/paged-list.ts';
import { alertChannel, toAlertChannel } from './shapes/alert-channel.ts';
import * as shapes from './shapes/shapes.ts';

type Deps = { notify: Pick<Clients['notify'], 'listAlertChannels'> };

export const listAlertChannels = defineRoute({
  ...pagedList(alertChannel),
  path: '/api/v1/alerts/channels',
  operationId: 'listAlertChannels',
  tag: 'Alerts',
  summary: 'List the channels for alerts',
  description:
    'Where alerts of this account are sent, oldest first. Of an address only the host and the last four characters are shown.',
  cost: 0,
  services: ['notify'],
  query: z.object(pageFields),
  async handler(deps: Deps, { account, query, call }) {
    const { page, per_page: perPage } = query;
    const request = { account_id: account.id, page, per_page: perPage };
    const { channels, total } = await deps.notify.listAlertChannels(request, call);
    return { data: channels.map(toAlertChannel), meta: shapes.toPaginationMeta(total, query) };
  },
});
