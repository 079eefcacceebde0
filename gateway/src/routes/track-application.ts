import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { storeTooLate } from './common/error-sentences.ts';
import { isSoldIn, marketFields, soldInOptions, storeIdentifierField } from './common/fields.ts';
import * as shapes from './common/shapes.ts';
import { trackApplicationExample } from './examples/track-application-example.ts';

export const trackApplication = defineRoute({
  method: 'post',
  path: '/api/v1/applications',
  operationId: 'trackApplication',
  summary: 'Track an application',
  description:
    'Tracks one app in one store, country and language. Its listing is read from the store first; the same app in three markets is three applications.',
  cost: 0,
  deadlineMs: 35_000,
  params: z.object({}),
  query: z.object({}),
  body: z.strictObject({ app_id: storeIdentifierField, ...marketFields }).refine(isSoldIn, soldInOptions),
  data: z.object({
    id: shapes.internalId,
    app: z
      .object({ id: shapes.storeIdentifier, title: shapes.title })
      .meta({ description: 'The app in the store.' }),
  }),
  meta: null,
  example: trackApplicationExample,
  errors: {
    APP_NOT_FOUND: 'The App Store has no app 9005997251 in US.',
    DUPLICATE: 'This account tracks the application in this storefront already.',
    PLAN_LIMIT: 'Your plan allows 20 tracked applications. Remove one first.',
    STORE_FETCH_FAILED: storeTooLate,
    CREATE_APP_FAILED: 'The application could not be saved. Try again.',
  },
  async handler({ account, plan, body, clients, call }) {
    const { app_id: appId, ...storefront } = body;
    const request = { account_id: account.id, storefront, app_id: appId, max_apps: plan.limits.apps };
    const { id, app_id: storeId, title } = await clients.tracking.trackApplication(request, call);
    return { data: { id, app: { id: storeId, title } } };
  },
});
