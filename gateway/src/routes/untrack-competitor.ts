import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { defineRoute } from './route/define-route.ts';
import { idParameter } from './route/fields.ts';
import * as shapes from './shapes/shapes.ts';

type Deps = { tracking: Pick<Clients['tracking'], 'untrackCompetitor'> };

export const untrackCompetitor = defineRoute({
  method: 'delete',
  path: '/api/v1/competitors/{id}',
  operationId: 'untrackCompetitor',
  tag: 'Competitors',
  summary: 'Stop tracking a competitor',
  description: 'Tracking the competitor again gives the same relation id. Repeating the call is safe.',
  cost: 0,
  services: ['tracking'],
  deadlineMs: 5000,
  params: z.object({ id: idParameter('Id of the relation, from the list of competitors.') }),
  sample: { params: { id: 1 } },
  data: z.object({
    id: shapes.relationId,
    removed: z
      .boolean()
      .meta({ description: 'Whether this call removed the competitor; false: it was already removed.' }),
  }),
  errors: {
    NOT_FOUND: 'This account has no competitor with that id.',
  },
  async handler(deps: Deps, { account, params, call }) {
    const request = { account_id: account.id, id: params.id };
    const { id, removed } = await deps.tracking.untrackCompetitor(request, call);
    return { data: { id, removed } };
  },
});
