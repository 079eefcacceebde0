import { z } from 'zod';
import type { Clients } from '../clients.ts';
import type { CountUse } from '../limits/count-use.ts';
import { defineRoute } from './route/define-route.ts';
import { storeTimeout, toCapReachedExample } from './route/error-examples.ts';
import { inStorefront, prefixField, storefrontFields } from './route/fields.ts';
import { historyMeta, toHistoryMeta } from './shapes/history-meta.ts';
import * as shapes from './shapes/shapes.ts';

type Deps = {
  storeFetch: Pick<Clients['storeFetch'], 'runAutocomplete'>;
  countUse: CountUse;
};

export const runAutocomplete = defineRoute({
  method: 'get',
  path: '/api/v1/autocomplete',
  operationId: 'runAutocomplete',
  tag: 'Discovery',
  summary: 'Get autocomplete suggestions',
  description:
    'The suggestions of the store’s search field for a prefix, in the store’s order. An empty list means that the store has no suggestions; when that is uncertain, the answer is STORE_FETCH_FAILED. The query is saved in the history.',
  cost: 1,
  services: ['store-fetch'],
  deadlineMs: 35_000,
  query: inStorefront(z.object({ prefix: prefixField, ...storefrontFields })),
  sample: { query: { prefix: 'habit', store: 'ITUNES', country: 'US', lang: 'en-US' } },
  data: z.object({
    suggestions: z
      .array(z.string())
      .max(shapes.maxSuggestions)
      .meta({
        description: 'Suggestions in the store’s order.',
        examples: [['habit tracker', 'habit tracker free']],
      }),
    normalized_prefix: shapes.prefix,
    ...shapes.storefront,
  }),
  meta: historyMeta,
  errors: {
    PLAN_LIMIT: toCapReachedExample('autocomplete_queries'),
    STORE_FETCH_FAILED: storeTimeout,
  },
  async handler(deps: Deps, { account, query, call }) {
    const { prefix, ...storefront } = query;
    const request = { account_id: account.id, storefront, prefix };
    return deps.countUse('autocomplete_queries', async () => {
      const reply = await deps.storeFetch.runAutocomplete(request, call);
      return {
        data: {
          suggestions: reply.suggestions,
          normalized_prefix: reply.normalized_prefix,
          ...storefront,
        },
        meta: toHistoryMeta(reply.is_saved),
      };
    });
  },
});
