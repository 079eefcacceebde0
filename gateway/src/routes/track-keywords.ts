import type { TrackKeywordResult } from '@shelfwise/proto/tracking/v1/tracking';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { defineRoute } from './route/define-route.ts';
import { appNotTracked } from './route/error-examples.ts';
import { idField, inStorefront, keywordField, storefrontFields } from './route/fields.ts';
import { isStale, rankAge, resultCount } from './shapes/ages.ts';
import * as shapes from './shapes/shapes.ts';

const maxKeywords = 20;

const keyword = z.string().meta({
  description:
    'The keyword as it is tracked, in its normal form: in the lower case of the language, with single spaces, Unicode NFKC.',
  examples: ['habit tracker'],
});

const result = z.union([
  z.object({
    keyword,
    success: z.string().meta({
      description: 'The first rank, as a sentence.',
      examples: ['Habitember ranks 2nd of 51 results for “habit tracker”.'],
    }),
    keyword_id: shapes.keywordId,
    rank: shapes.rank,
    depth: resultCount,
    ...rankAge,
  }),
  z.object({
    keyword,
    error: z.string().meta({
      description: 'Why the keyword is not tracked.',
      examples: ['This keyword is already tracked for this application.'],
    }),
  }),
]);

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
      .array(result)
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
    const results = reply.results.map((result) => toResult(result, now));
    const successCount = results.filter((result) => 'success' in result).length;
    return { data: { results, success_count: successCount, error_count: results.length - successCount } };
  },
});

function toResult(
  { keyword, outcome, first_rank: first }: TrackKeywordResult,
  now: Date,
): z.output<typeof result> {
  if (outcome?.$case === 'error') return { keyword, error: outcome.value };
  if (outcome === null) throw new Error('the reply of tracking has no outcome');
  if (first === null) throw new Error('the reply of tracking has no first rank');
  const { value: success } = outcome;
  return { keyword, success, ...first, rank: first.rank ?? null, stale: isStale(first.rank_date, now) };
}
