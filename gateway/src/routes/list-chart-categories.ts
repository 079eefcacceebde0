import { collections } from '@shelfwise/facts/stores/categories';
import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { categoryKey, collection } from './common/charts.ts';
import { storeField } from './common/fields.ts';
import { toStore } from './common/from-proto.ts';
import { listChartCategoriesExample } from './examples/list-chart-categories-example.ts';

const category = z.object({
  key: categoryKey,
  label: z.string().meta({ description: 'Its name in English.', examples: ['Overall'] }),
});

const categoriesOf = (store: string) =>
  z
    .array(category)
    .optional()
    .meta({
      description: `Categories of ${store}, OVERALL first; absent when only the other one was asked for.`,
    });

export const listChartCategories = defineRoute({
  method: 'get',
  path: '/api/v1/top-charts/categories',
  operationId: 'listChartCategories',
  summary: 'Collections and categories of the top charts',
  description: 'What GET /api/v1/top-charts can be asked for.',
  cost: 1,
  deadlineMs: 35_000,
  params: z.object({}),
  query: z.object({
    store: storeField
      .meta({ description: 'ITUNES is the App Store, GPLAY is Google Play; omit it for both.' })
      .optional(),
  }),
  body: null,
  data: z.object({
    collections: z.array(collection).meta({ description: 'What charts rank.' }),
    categories: z
      .object({ ITUNES: categoriesOf('the App Store'), GPLAY: categoriesOf('Google Play') })
      .meta({ description: 'By store.' }),
  }),
  meta: null,
  example: listChartCategoriesExample,
  errors: {},
  async handler({ query, clients, call }) {
    const { stores } = await clients.chart.listChartCategories(query, call);
    const byStore = stores.map(({ store, categories }) => [toStore(store), categories] as const);
    return { data: { collections: [...collections], categories: Object.fromEntries(byStore) } };
  },
});
