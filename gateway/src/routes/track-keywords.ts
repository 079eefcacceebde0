import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { firstRank, toFirstRank, untrackable } from './answers/first-rank.ts';
import { defineRoute } from './route/define-route.ts';
import { appNotTracked } from './route/error-examples.ts';
import { idField, inStorefront, keywordField, storefrontFields } from './route/fields.ts';
import * as shapes from './shapes/shapes.ts';

const maxKeywords = 20;

type Deps = { tracking: Pick<Clients['tracking'], 'trackKeywords'> };

export const trackKeywords = defineRoute({
  method: 'post',
  path: '/api/v1/keywords',
  operationId: 'trackKeywords',
  tag: 'Keywords',
  summary: 'Track keywords',
  description:
    'Tracks 1 to 20 keywords of one application and reads their first ranks immediately. store, country and lang must be the application’s own. One failed keyword does not affect the others; the answer is 200 even when all fail. A removed keyword returns with its history.',
  cost: 0,
  services: ['tracking'],
  deadlineMs: 60_000,
  body: inStorefront(
    z.strictObject({
      keywords: z.array(keywordField).min(1).max(maxKeywords).meta({ description: 'Keywords to track.' }),
      app_id: idField('Id of the application in Shelfwise.'),
      ...storefrontFields,
    }),
  ),
  sample: {
    body: {
      keywords: ['habit tracker', 'Habit  Tracker', 'daily planner'],
      app_id: 1,
      store: 'ITUNES',
      country: 'US',
      lang: 'en-US',
    },
  },
  data: z.object({
    results: z
      .array(z.union([firstRank, untrackable]))
      .max(maxKeywords)
      .meta({ description: 'One result per keyword, in the order of the request.' }),
    success_count: shapes
      .boundedCount(maxKeywords)
      .meta({ description: 'Number of keywords that are tracked now.' }),
    error_count: shapes.boundedCount(maxKeywords).meta({ description: 'Number of keywords that are not.' }),
  }),
  errors: {
    APP_NOT_FOUND: appNotTracked,
    PLAN_LIMIT: 'Your plan allows 500 tracked keywords. Remove one first.',
  },
  async handler(deps: Deps, { account, plan, body, call, now }) {
    const { keywords, app_id: appId, ...storefront } = body;
    const reply = await deps.tracking.trackKeywords(
      { account_id: account.id, app_id: appId, storefront, keywords, max_keywords: plan.limits.keywords },
      call,
    );
    const results = reply.results.map((result) => toFirstRank(result, now));
    const successCount = results.filter((result) => 'success' in result).length;
    return { data: { results, success_count: successCount, error_count: results.length - successCount } };
  },
});
