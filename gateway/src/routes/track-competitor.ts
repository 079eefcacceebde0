import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { defineRoute } from './route/define-route.ts';
import { appNotTracked, storeTimeout } from './route/error-examples.ts';
import { idField, inStorefront, storefrontFields, storeIdentifierField } from './route/fields.ts';
import * as shapes from './shapes/shapes.ts';

type Deps = { tracking: Pick<Clients['tracking'], 'trackCompetitor'> };

export const trackCompetitor = defineRoute({
  method: 'post',
  path: '/api/v1/competitors',
  operationId: 'trackCompetitor',
  tag: 'Competitors',
  summary: 'Track a competitor of an application',
  description:
    'Adds another app of the same store, country and language as a competitor. The listing is read from the store first. The competitor comes with ranks for every keyword of the application, from the existing snapshots. A removed competitor returns with its old id.',
  cost: 0,
  services: ['tracking'],
  deadlineMs: 35_000,
  body: inStorefront(
    z.strictObject({
      app_id: idField('Id in Shelfwise of the application that it competes with.'),
      competitor_app_id: storeIdentifierField,
      ...storefrontFields,
    }),
  ),
  sample: {
    body: { app_id: 1, competitor_app_id: '9048598736', store: 'ITUNES', country: 'US', lang: 'en-US' },
  },
  data: z.object({
    id: shapes.relationId,
    competitor: z
      .object({ id: shapes.internalId, app_id: shapes.storeIdentifier, title: shapes.title })
      .meta({ description: 'The competitor.' }),
  }),
  errors: {
    SELF_COMPETITOR: 'An application cannot be its own competitor.',
    APP_NOT_FOUND: appNotTracked,
    COMPETITOR_NOT_FOUND: 'The App Store has no app 1 in US.',
    DUPLICATE: 'This app is already a competitor of this application.',
    PLAN_LIMIT: 'Your plan allows 10 competitors. Remove one first.',
    STORE_FETCH_FAILED: storeTimeout,
  },
  async handler(deps: Deps, { account, plan, body, call }) {
    const { app_id: appId, competitor_app_id: competitorAppId, ...storefront } = body;
    const request = {
      account_id: account.id,
      app_id: appId,
      competitor_app_id: competitorAppId,
      storefront,
      max_competitors: plan.limits.competitors,
    };
    const reply = await deps.tracking.trackCompetitor(request, call);
    return {
      data: {
        id: reply.id,
        competitor: { id: reply.competitor_id, app_id: reply.competitor_app_id, title: reply.title ?? null },
      },
    };
  },
});
