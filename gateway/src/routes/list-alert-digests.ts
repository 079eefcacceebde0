import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { defineRoute } from './route/define-route.ts';
import { pagedList, pageFields } from './route/paged-list.ts';
import { alertDigest, toAlertDigest } from './shapes/alert-digest.ts';
import * as shapes from './shapes/shapes.ts';

type Deps = { notify: Pick<Clients['notify'], 'listAlertDigests'> };

export const listAlertDigests = defineRoute({
  ...pagedList(alertDigest),
  path: '/api/v1/alerts/digests',
  operationId: 'listAlertDigests',
  tag: 'Alerts',
  summary: 'List the digests',
  description: 'The digests of this account, oldest first, with when they are sent.',
  cost: 0,
  services: ['notify'],
  query: z.object(pageFields),
  async handler(deps: Deps, { account, query, call }) {
    const { page, per_page: perPage } = query;
    const request = { account_id: account.id, page, per_page: perPage };
    const { digests, total } = await deps.notify.listAlertDigests(request, call);
    return { data: digests.map(toAlertDigest), meta: shapes.toPaginationMeta(total, query) };
  },
});
