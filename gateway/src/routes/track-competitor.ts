import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { relationId } from './common/competitors.ts';
import { appNotTracked, storeTooLate } from './common/error-sentences.ts';
import { idField, isSoldIn, marketFields, soldInOptions, storeIdentifierField } from './common/fields.ts';
import * as shapes from './common/shapes.ts';
import { trackCompetitorExample } from './examples/track-competitor-example.ts';

export const trackCompetitor = defineRoute({
  method: 'post',
  path: '/api/v1/competitors',
  operationId: 'trackCompetitor',
  summary: 'Track a competitor of an application',
  description:
    'Notes another app of the same store, country and language as a competitor. Its listing is read from the store first; then it has ranks for every keyword of the application, from the snapshots that exist. One that was removed comes back with its id.',
  cost: 0,
  deadlineMs: 35_000,
  params: z.object({}),
  query: z.object({}),
  body: z
    .strictObject({
      app_id: idField('Internal app id of the application that it competes with.'),
      competitor_app_id: storeIdentifierField,
      ...marketFields,
    })
    .refine(isSoldIn, soldInOptions),
  data: z.object({
    id: relationId,
    competitor: z
      .object({ id: shapes.internalId, app_id: shapes.storeIdentifier, title: shapes.title })
      .meta({ description: 'The competitor.' }),
  }),
  meta: null,
  example: trackCompetitorExample,
  errors: {
    SELF_COMPETITOR: 'An application cannot be its own competitor.',
    APP_NOT_FOUND: appNotTracked,
    COMPETITOR_NOT_FOUND: 'The store has no such application in this storefront.',
    DUPLICATE: 'It is a competitor of this application already.',
    PLAN_LIMIT: 'Your plan allows 10 competitors. Remove one first.',
    STORE_FETCH_FAILED: storeTooLate,
  },
  async handler({ account, plan, body, clients, call }) {
    const { app_id: appId, competitor_app_id: competitorAppId, ...storefront } = body;
    const maxCompetitors = plan.limits.competitors;
    const request = { account_id: account.id, app_id: appId, competitor_app_id: competitorAppId, storefront };
    const reply = await clients.tracking.trackCompetitor(
      { ...request, max_competitors: maxCompetitors },
      call,
    );
    const { id, title } = reply;
    return { data: { id, competitor: { id: reply.competitor_id, app_id: reply.competitor_app_id, title } } };
  },
});
