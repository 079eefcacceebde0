import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { relationId } from './common/competitors.ts';
import { idParameter } from './common/fields.ts';
import { untrackCompetitorExample } from './examples/untrack-competitor-example.ts';

export const untrackCompetitor = defineRoute({
  method: 'delete',
  path: '/api/v1/competitors/{id}',
  operationId: 'untrackCompetitor',
  summary: 'Stop tracking a competitor',
  description: 'Soft and repeatable: tracking it again gives the same relation id.',
  cost: 0,
  deadlineMs: 5000,
  params: z.object({ id: idParameter('Relation id, as the list of competitors names it.') }),
  query: z.object({}),
  body: null,
  data: z.object({
    id: relationId,
    removed: z.boolean().meta({ description: 'false: it was removed before this call.' }),
  }),
  meta: null,
  example: untrackCompetitorExample,
  errors: {
    NOT_FOUND: 'This account has no competitor with that id.',
  },
  async handler({ account, params, clients, call }) {
    const request = { account_id: account.id, id: params.id };
    const { id, removed } = await clients.tracking.untrackCompetitor(request, call);
    return { data: { id, removed } };
  },
});
