import { collections } from '@shelfwise/facts/stores/categories';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { toStore } from './answers/from-proto.ts';
import { categoryKey, collection } from './route/chart-fields.ts';
import { defineRoute } from './route/define-route.ts';
import { storeField } from './route/fields.ts';

const category = z.object({
  key: categoryKey,
  label: z.string().meta({ description: 'Name of the category in English.', examples: ['Overall'] }),
});

const categoryList = (store: string) =>
  z
    .array(category)
    .optional()
    .meta({
      description: `Categories of ${store}, OVERALL first; absent when only the other store was requested.`,
    });

type Deps = { chart: Pick<Clients['chart'], 'listChartCategories'> };

export const listChartCategories = defineRoute({
  method: 'get',
  path: '/api/v1/top-charts/categories',
  operationId: 'listChartCategories',
  tag: 'Top charts',
  summary: 'List collections and categories of the top charts',
  description: 'The collections and categories that GET /api/v1/top-charts supports.',
  cost: 1,
  services: ['chart'],
  deadlineMs: 5000,
  query: z.object({
    store: storeField
      .meta({ description: 'ITUNES is the App Store, GPLAY is Google Play; omit it for both stores.' })
      .optional(),
  }),
  data: z.object({
    collections: z.array(collection).meta({ description: 'The collections of top charts.' }),
    categories: z
      .object({ ITUNES: categoryList('the App Store'), GPLAY: categoryList('Google Play') })
      .meta({ description: 'Categories by store.' }),
  }),
  async handler(deps: Deps, { query, call }) {
    const { stores } = await deps.chart.listChartCategories(query, call);
    const byStore = stores.map(({ store, categories }) => [toStore(store), categories] as const);
    return { data: { collections: [...collections], categories: Object.fromEntries(byStore) } };
  },
});
