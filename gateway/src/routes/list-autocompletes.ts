import type { AutocompleteQuery } from '@shelfwise/proto/store/v1/autocomplete';
import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { historyPageFields, maxHistoryRows } from './common/fields.ts';
import { toMarket, toTimestamp } from './common/from-proto.ts';
import { paginationOf } from './common/pagination.ts';
import * as shapes from './common/shapes.ts';
import { listAutocompletesExample } from './examples/list-autocompletes-example.ts';

const row = z.object({
  id: z
    .int()
    .min(1)
    .meta({ description: 'Id of the row: one per prefix, store, country and language.', examples: [4] }),
  prefix: shapes.prefix,
  store: shapes.store,
  country: shapes.country,
  lang: shapes.lang,
  suggestion_count: shapes
    .countTo(shapes.maxSuggestions)
    .meta({ description: 'How many suggestions there were.' }),
  last_queried_at: shapes.timestamp.meta({ description: 'When it was asked for last.' }),
});

export const listAutocompletes = defineRoute({
  method: 'get',
  path: '/api/v1/autocomplete/history',
  operationId: 'listAutocompletes',
  summary: 'List autocomplete queries',
  description: 'One row per prefix and market, the one that was asked for last first.',
  cost: 0,
  deadlineMs: 5000,
  params: z.object({}),
  query: z.object(historyPageFields),
  body: null,
  data: z.array(row).max(maxHistoryRows),
  meta: shapes.paginationMeta,
  example: listAutocompletesExample,
  errors: {},
  async handler({ account, query, clients, call }) {
    const { page, per_page: perPage } = query;
    const request = { account_id: account.id, page, per_page: perPage };
    const { queries, total } = await clients.storeFetch.listAutocompletes(request, call);
    return { data: queries.map(toRow), meta: paginationOf(total, page, perPage) };
  },
});

function toRow(query: AutocompleteQuery): z.output<typeof row> {
  const { id, prefix, storefront, last_queried_at: lastQueriedAt } = query;
  return {
    id,
    prefix,
    ...toMarket(storefront),
    suggestion_count: query.suggestion_count,
    last_queried_at: toTimestamp(lastQueriedAt),
  };
}
