import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { defineRoute } from './route/define-route.ts';
import { storeTimeout } from './route/error-examples.ts';
import { inStorefront, storefrontFields, storeIdentifierField } from './route/fields.ts';
import * as shapes from './shapes/shapes.ts';

type Deps = { tracking: Pick<Clients['tracking'], 'trackApplication'> };

export const trackApplication = defineRoute({
  method: 'post',
  path: '/api/v1/applications',
  operationId: 'trackApplication',
  tag: 'Applications',
  summary: 'Track an application',
  description:
    'Tracks one app in one storefront: one store, country and language. The listing is read from the store first. The same app in three storefronts is three applications.',
  cost: 0,
  services: ['tracking'],
  deadlineMs: 35_000,
  body: inStorefront(z.strictObject({ app_id: storeIdentifierField, ...storefrontFields })),
  sample: {
    body: { app_id: '9005997251', store: 'ITUNES', country: 'US', lang: 'en-US' },
  },
  data: z.object({
    id: shapes.internalId,
    app: z
      .object({ id: shapes.storeIdentifier, title: shapes.title })
      .meta({ description: 'The app in the store.' }),
  }),
  errors: {
    APP_NOT_FOUND: 'The App Store has no app 9005997251 in US.',
    DUPLICATE: 'This account already tracks the application in this storefront.',
    PLAN_LIMIT: 'Your plan allows 20 tracked applications. Remove one first.',
    STORE_FETCH_FAILED: storeTimeout,
    CREATE_APP_FAILED: 'The application could not be saved. Try again.',
  },
  async handler(deps: Deps, { account, plan, body, call }) {
    const { app_id: appId, ...storefront } = body;
    const request = { account_id: account.id, storefront, app_id: appId, max_apps: plan.limits.apps };
    const reply = await deps.tracking.trackApplication(request, call);
    return { data: { id: reply.id, app: { id: reply.app_id, title: reply.title ?? null } } };
  },
});
