import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { defineRoute } from './common/define-route.ts';
import { appNotTracked } from './common/error-examples.ts';
import { idParameter } from './common/fields.ts';
import { toTimestamp } from './common/from-proto.ts';
import { maybeKeptField } from './common/keywords-field.ts';
import { findTrackedListing } from './common/tracked-app.ts';

type Deps = {
  tracking: Pick<Clients['tracking'], 'getTrackedListing'>;
  scoring: Pick<Clients['scoring'], 'getKeywordsField'>;
};

export const getKeywordsField = defineRoute({
  method: 'get',
  path: '/api/v1/applications/{id}/keywords-field',
  operationId: 'getKeywordsField',
  tag: 'ASO Health',
  summary: 'Get the kept keywords field of an application',
  description:
    'The keywords field that this account keeps for the application, because the App Store never shows it. On Google Play, which has no such field, it is always null.',
  cost: 0,
  services: ['tracking', 'scoring'],
  deadlineMs: 5000,
  params: z.object({ id: idParameter('Id of the application in Shelfwise.') }),
  query: z.object({}),
  body: null,
  sample: { params: { id: 1 } },
  data: maybeKeptField,
  meta: null,
  errors: { APP_NOT_FOUND: appNotTracked },
  async handler(deps: Deps, { account, params, call }) {
    await findTrackedListing(deps, { account_id: account.id, id: params.id }, call);
    const request = { account_id: account.id, app_id: params.id };
    const { kw_field: kwField, updated_at: updatedAt } = await deps.scoring.getKeywordsField(request, call);
    return {
      data: {
        app_id: params.id,
        kw_field: kwField ?? null,
        updated_at: updatedAt && toTimestamp(updatedAt),
      },
    };
  },
});
