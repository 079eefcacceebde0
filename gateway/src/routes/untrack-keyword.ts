import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { defineRoute } from './route/define-route.ts';
import { keywordNotTracked } from './route/error-examples.ts';
import { idParameter } from './route/fields.ts';
import * as shapes from './shapes/shapes.ts';

type Deps = { tracking: Pick<Clients['tracking'], 'untrackKeyword'> };

export const untrackKeyword = defineRoute({
  method: 'delete',
  path: '/api/v1/keywords/{id}/apps/{app_id}',
  operationId: 'untrackKeyword',
  tag: 'Keywords',
  summary: 'Stop tracking a keyword of an application',
  description: 'The history is kept and stays readable. Repeating the call is safe.',
  cost: 0,
  services: ['tracking'],
  deadlineMs: 5000,
  params: z.object({
    id: idParameter('Keyword id.'),
    app_id: idParameter('Id of the application in Shelfwise.'),
  }),
  sample: { params: { id: 2, app_id: 1 } },
  data: z.object({
    keyword_id: shapes.keywordId,
    app_id: shapes.internalId,
    already_removed: z.boolean().meta({ description: 'Whether the keyword was already removed.' }),
  }),
  errors: { NOT_FOUND: keywordNotTracked },
  async handler(deps: Deps, { account, params, call }) {
    const request = { account_id: account.id, keyword_id: params.id, app_id: params.app_id };
    return { data: await deps.tracking.untrackKeyword(request, call) };
  },
});
