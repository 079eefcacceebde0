import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { capReached, storeTooLate } from './common/error-sentences.ts';
import { isSoldIn, marketFields, prefixField, soldInOptions } from './common/fields.ts';
import { historyMeta, toHistoryMeta } from './common/history-saved.ts';
import * as shapes from './common/shapes.ts';
import { runAutocompleteExample } from './examples/run-autocomplete-example.ts';

export const runAutocomplete = defineRoute({
  method: 'get',
  path: '/api/v1/autocomplete',
  operationId: 'runAutocomplete',
  summary: 'Complete the beginning of a search term',
  description:
    'What the store’s search field suggests for a prefix, its first suggestion first. None: the store says that it has none; a silence that cannot be believed is STORE_FETCH_FAILED. The query is kept in the autocomplete history.',
  cost: 1,
  deadlineMs: 35_000,
  params: z.object({}),
  query: z.object({ prefix: prefixField, ...marketFields }).refine(isSoldIn, soldInOptions),
  body: null,
  data: z.object({
    suggestions: z
      .array(z.string())
      .max(shapes.maxSuggestions)
      .meta({ description: 'In the store’s order.', examples: [['habit tracker', 'habit tracker free']] }),
    normalized_prefix: shapes.prefix,
    store: shapes.store,
    country: shapes.country,
    lang: shapes.lang,
  }),
  meta: historyMeta,
  example: runAutocompleteExample,
  errors: {
    PLAN_LIMIT: capReached('autocomplete_queries'),
    STORE_FETCH_FAILED: storeTooLate,
  },
  async handler({ account, query, clients, countUse, call }) {
    const { prefix, ...market } = query;
    const request = { account_id: account.id, storefront: market, prefix };
    return countUse('autocomplete_queries', async () => {
      const reply = await clients.storeFetch.runAutocomplete(request, call);
      const { suggestions, is_saved: isSaved } = reply;
      return {
        data: { suggestions, normalized_prefix: reply.normalized_prefix, ...market },
        meta: toHistoryMeta(isSaved),
      };
    });
  },
});
