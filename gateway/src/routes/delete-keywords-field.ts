import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { defineRoute } from './common/define-route.ts';
import { appNotTracked } from './common/error-examples.ts';
import { idParameter } from './common/fields.ts';
import * as shapes from './common/shapes.ts';
import { findTrackedListing } from './common/tracked-app.ts';

type Deps = {
  tracking: Pick<Clients['tracking'], 'getTrackedListing'>;
  scoring: Pick<Clients['scoring'], 'deleteKeywordsField'>;
};

export const deleteKeywordsField = defineRoute({
  method: 'delete',
  path: '/api/v1/applications/{id}/keywords-field',
  operationId: 'deleteKeywordsField',
  tag: 'ASO Health',
  summary: 'Remove the kept keywords field of an application',
  description:
    'The field is unknown again: reports and simulations are computed without it. Repeating the call is safe. An application that is no longer tracked keeps its field until it is tracked again.',
  cost: 0,
  services: ['tracking', 'scoring'],
  deadlineMs: 5000,
  params: z.object({ id: idParameter('Id of the application in Shelfwise.') }),
  query: z.object({}),
  body: null,
  sample: { params: { id: 1 } },
  data: z.object({
    app_id: shapes.internalId,
    already_removed: z.boolean().meta({ description: 'Whether no keywords field was kept.' }),
  }),
  meta: null,
  errors: { APP_NOT_FOUND: appNotTracked },
  async handler(deps: Deps, { account, params, call }) {
    await findTrackedListing(deps, { account_id: account.id, id: params.id }, call);
    const request = { account_id: account.id, app_id: params.id };
    const { already_removed } = await deps.scoring.deleteKeywordsField(request, call);
    return { data: { app_id: params.id, already_removed } };
  },
});
