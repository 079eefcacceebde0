import type { AutocompleteQuery } from '@shelfwise/proto/store/v1/autocomplete';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { toStorefront, toTimestamp } from './answers/from-proto.ts';
import { defineRoute } from './route/define-route.ts';
import { pagedList } from './route/paged-list.ts';
import * as shapes from './shapes/shapes.ts';

const row = z.object({
  id: shapes.rowId('Id of the row: one per prefix, store, country and language.', 4),
  prefix: shapes.prefix,
  ...shapes.storefront,
  suggestion_count: shapes
    .boundedCount(shapes.maxSuggestions)
    .meta({ description: 'Number of suggestions.' }),
  last_queried_at: shapes.timestamp.meta({ description: 'Time of the last query.' }),
});

type Deps = { storeFetch: Pick<Clients['storeFetch'], 'listAutocompletes'> };

export const listAutocompletes = defineRoute({
  ...pagedList(row),
  path: '/api/v1/autocomplete/history',
  operationId: 'listAutocompletes',
  tag: 'Discovery',
  summary: 'List autocomplete queries',
  description:
    'One row per prefix and storefront (store, country and language), most recently queried first.',
  cost: 0,
  services: ['store-fetch'],
  async handler(deps: Deps, { account, query, call }) {
    const request = { account_id: account.id, page: query.page, per_page: query.per_page };
    const { queries, total } = await deps.storeFetch.listAutocompletes(request, call);
    return { data: queries.map(toRow), meta: shapes.toPaginationMeta(total, query) };
  },
});

function toRow(query: AutocompleteQuery): z.output<typeof row> {
  return {
    id: query.id,
    prefix: query.prefix,
    ...toStorefront(query.storefront),
    suggestion_count: query.suggestion_count,
    last_queried_at: toTimestamp(query.last_queried_at),
  };
}
