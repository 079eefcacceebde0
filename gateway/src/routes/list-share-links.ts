import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { maxShareLinks, type ShareLinks } from '../share-links/share-links.ts';
import { findTrackedListing } from './answers/tracked-app.ts';
import { csvOfList } from './route/csv-table.ts';
import { defineRoute } from './route/define-route.ts';
import { appNotTracked } from './route/error-examples.ts';
import { idParameter } from './route/fields.ts';
import * as shapes from './shapes/shapes.ts';
import { shareLink } from './shapes/share-link.ts';

type Deps = {
  tracking: Pick<Clients['tracking'], 'getTrackedListing'>;
  shareLinks: Pick<ShareLinks, 'list'>;
};

export const listShareLinks = defineRoute({
  method: 'get',
  path: '/api/v1/applications/{id}/share-links',
  operationId: 'listShareLinks',
  tag: 'Applications',
  summary: 'List the links that show an application',
  description: 'Those that are valid now, newest first. Their addresses are not stored.',
  cost: 0,
  services: ['tracking'],
  deadlineMs: 5000,
  params: z.object({ id: idParameter('Id of the application in Shelfwise.') }),
  sample: { params: { id: 1 } },
  data: z.array(shareLink).max(maxShareLinks),
  csv: csvOfList(shareLink),
  meta: z.object({
    total: shapes.boundedCount(maxShareLinks).meta({ description: 'Number of links.' }),
  }),
  errors: {
    APP_NOT_FOUND: appNotTracked,
  },
  async handler(deps: Deps, { account, params, call }) {
    await findTrackedListing(deps, { account_id: account.id, id: params.id }, call);
    const links = await deps.shareLinks.list({ accountId: account.id, appId: params.id });
    return { data: links, meta: { total: links.length } };
  },
});
