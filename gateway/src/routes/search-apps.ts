import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { csvOfList } from './route/csv-table.ts';
import { defineRoute } from './route/define-route.ts';
import { storeTimeout } from './route/error-examples.ts';
import { inStorefront, searchedKeywordField, storefrontFields } from './route/fields.ts';
import * as shapes from './shapes/shapes.ts';

const maxApps = 20;

const foundApp = z.object({
  app_id: shapes.storeIdentifier,
  title: shapes.title,
  icon: shapes.icon,
  developer_name: shapes.developerName,
  ratings: shapes.ratingCount,
  is_tracked: z
    .boolean()
    .meta({ description: 'Whether this account tracks the app in this storefront.', examples: [false] }),
});

type Deps = {
  storeFetch: Pick<Clients['storeFetch'], 'searchApps'>;
  tracking: Pick<Clients['tracking'], 'findTrackedApps'>;
};

export const searchApps = defineRoute({
  method: 'get',
  path: '/api/v1/apps/search',
  operationId: 'searchApps',
  tag: 'Applications',
  summary: 'Search a store for apps',
  description:
    'The first 20 apps of the store’s result page for a term, in the store’s order, to find the app_id of an app to track. Google Play’s result pages show no number of ratings. An empty list means that the store shows no app; when that is uncertain, the answer is STORE_FETCH_FAILED.',
  cost: 1,
  services: ['store-fetch', 'tracking'],
  deadlineMs: 35_000,
  query: inStorefront(z.object({ term: searchedKeywordField, ...storefrontFields })),
  sample: { query: { term: 'habit tracker', store: 'ITUNES', country: 'US', lang: 'en-US' } },
  data: z.array(foundApp).max(maxApps),
  csv: csvOfList(foundApp),
  meta: z.object({ total: shapes.boundedCount(maxApps).meta({ description: 'Number of apps.' }) }),
  errors: {
    STORE_FETCH_FAILED: storeTimeout,
  },
  async handler(deps: Deps, { account, query, call }) {
    const { term, ...storefront } = query;
    const { apps } = await deps.storeFetch.searchApps(
      { storefront, term, limit: maxApps, for_daily_run: false },
      call,
    );
    const { app_ids: trackedIds } = await deps.tracking.findTrackedApps(
      { account_id: account.id, storefront, app_ids: apps.map((app) => app.app_id) },
      call,
    );
    const data = apps.map((app) => ({
      app_id: app.app_id,
      title: app.title ?? null,
      icon: app.icon ?? null,
      developer_name: app.developer_name ?? null,
      ratings: app.ratings ?? null,
      is_tracked: trackedIds.includes(app.app_id),
    }));
    return { data, meta: { total: data.length } };
  },
});
