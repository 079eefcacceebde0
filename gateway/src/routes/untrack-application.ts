import { z } from 'zod';
import type { Clients } from '../clients.ts';
import type { ShareLinks } from '../share-links/share-links.ts';
import { defineRoute } from './route/define-route.ts';
import { appNotTracked } from './route/error-examples.ts';
import { idParameter } from './route/fields.ts';
import * as shapes from './shapes/shapes.ts';

type Deps = {
  tracking: Pick<Clients['tracking'], 'untrackApplication'>;
  shareLinks: Pick<ShareLinks, 'endAll'>;
};

export const untrackApplication = defineRoute({
  method: 'delete',
  path: '/api/v1/applications/{id}',
  operationId: 'untrackApplication',
  tag: 'Applications',
  summary: 'Stop tracking an application',
  description:
    'The history is kept, and tracking the app again gives the same id. Its keywords stay removed until they are tracked again. Links that show it end. Repeating the call is safe.',
  cost: 0,
  services: ['tracking'],
  deadlineMs: 5000,
  params: z.object({ id: idParameter('Id of the application in Shelfwise.') }),
  sample: { params: { id: 1 } },
  data: z.object({
    id: shapes.internalId,
    already_removed: z.boolean().meta({ description: 'Whether the application was already removed.' }),
  }),
  errors: {
    APP_NOT_FOUND: appNotTracked,
  },
  async handler(deps: Deps, { account, params, call }) {
    const request = { account_id: account.id, id: params.id };
    const data = await deps.tracking.untrackApplication(request, call);
    // Afterwards, so that no link is made in between; a repeated call ends what a failure has left.
    await deps.shareLinks.endAll({ accountId: account.id, appId: params.id });
    return { data };
  },
});
