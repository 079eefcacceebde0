import type { TrackKeywordResult } from '@shelfwise/proto/tracking/v1/tracking';
import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { appNotTracked } from './common/error-sentences.ts';
import { idField, isSoldIn, keywordField, marketFields, soldInOptions } from './common/fields.ts';
import * as shapes from './common/shapes.ts';
import { trackKeywordsExample } from './examples/track-keywords-example.ts';

const maxKeywords = 20;

const keyword = z.string().meta({
  description: 'In its normal form: NFKC, lower case, blanks collapsed. That is what is tracked.',
  examples: ['habit tracker'],
});

const result = z.union([
  z.object({
    keyword,
    success: z.string().meta({
      description: 'The rank in words.',
      examples: ['Habitember ranks 2nd of 51 results for “habit tracker”.'],
    }),
  }),
  z.object({
    keyword,
    error: z.string().meta({
      description: 'Why it is not tracked.',
      examples: ['It is tracked for this application already.'],
    }),
  }),
]);

export const trackKeywords = defineRoute({
  method: 'post',
  path: '/api/v1/keywords',
  operationId: 'trackKeywords',
  summary: 'Track keywords',
  description:
    'Tracks 1 to 20 keywords of one application and reads their first rank at once. store, country and lang are the application’s own. Each keyword succeeds or fails for itself; the answer is 200 even when all fail. A removed keyword is tracked again with its history.',
  cost: 0,
  deadlineMs: 60_000,
  params: z.object({}),
  query: z.object({}),
  body: z
    .strictObject({
      keywords: z.array(keywordField).min(1).max(maxKeywords).meta({ description: 'Each one for itself.' }),
      app_id: idField('Internal app id.'),
      ...marketFields,
    })
    .refine(isSoldIn, soldInOptions),
  data: z.object({
    results: z
      .array(result)
      .max(maxKeywords)
      .meta({ description: 'One per keyword sent, in the order sent.' }),
    success_count: shapes.countTo(maxKeywords).meta({ description: 'How many are tracked now.' }),
    error_count: shapes.countTo(maxKeywords).meta({ description: 'How many are not.' }),
  }),
  meta: null,
  example: trackKeywordsExample,
  errors: {
    APP_NOT_FOUND: appNotTracked,
    PLAN_LIMIT: 'Your plan allows 500 tracked keywords. Remove one first.',
  },
  async handler({ account, plan, body, clients, call }) {
    const { keywords, app_id: appId, ...storefront } = body;
    const reply = await clients.tracking.trackKeywords(
      { account_id: account.id, app_id: appId, storefront, keywords, max_keywords: plan.limits.keywords },
      call,
    );
    const results = reply.results.map(toResult);
    const successCount = results.filter((one) => 'success' in one).length;
    return { data: { results, success_count: successCount, error_count: results.length - successCount } };
  },
});

function toResult({ keyword, outcome }: TrackKeywordResult): z.output<typeof result> {
  if (outcome === null) throw new Error('tracking answered without an outcome');
  return outcome.$case === 'success'
    ? { keyword, success: outcome.value }
    : { keyword, error: outcome.value };
}
