import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { defineRoute } from './common/define-route.ts';
import { appNotTracked } from './common/error-examples.ts';
import { idParameter } from './common/fields.ts';
import { toTimestamp } from './common/from-proto.ts';
import { keptField, keptFieldInput } from './common/keywords-field.ts';
import { findTrackedListing } from './common/tracked-app.ts';

type Deps = {
  tracking: Pick<Clients['tracking'], 'getTrackedListing'>;
  scoring: Pick<Clients['scoring'], 'setKeywordsField'>;
};

export const setKeywordsField = defineRoute({
  method: 'put',
  path: '/api/v1/applications/{id}/keywords-field',
  operationId: 'setKeywordsField',
  tag: 'ASO Health',
  summary: 'Keep the keywords field of an application',
  description:
    'App Store only. The store never shows this field: keep it here to include it in the ASO Health report and in simulations. It belongs to this account: other accounts that track the same app do not see it, and their scores stay as they are. Its words are measured within minutes and kept up to date while the app is tracked; after ten changes of a field, or 50 of the account, on a UTC day, the words of further ones are requested with the next daily audit. Nothing is written to the store. Repeating the call is safe.',
  cost: 0,
  services: ['tracking', 'scoring'],
  deadlineMs: 5000,
  params: z.object({ id: idParameter('Id of the application in Shelfwise.') }),
  query: z.object({}),
  body: z.strictObject({ kw_field: keptFieldInput }),
  sample: {
    params: { id: 1 },
    body: { kw_field: 'goals,mood,streak,diary,checklist,reminder,daily,journal' },
  },
  data: keptField,
  meta: null,
  errors: { APP_NOT_FOUND: appNotTracked },
  async handler(deps: Deps, { account, params, body, call }) {
    const app = await findTrackedListing(deps, { account_id: account.id, id: params.id }, call);
    const request = { account_id: account.id, app, kw_field: body.kw_field };
    const kept = await deps.scoring.setKeywordsField(request, call);
    return {
      data: { app_id: params.id, kw_field: kept.kw_field, updated_at: toTimestamp(kept.updated_at) },
    };
  },
});
