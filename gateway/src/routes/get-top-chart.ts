import { collectionMessages } from '@shelfwise/facts/checks/check-collection';
import type { ChartRow } from '@shelfwise/proto/chart/v1/chart';
import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { categoryKey, collection, isOfStore, ofStoreOptions } from './common/charts.ts';
import { storeTooSlow } from './common/error-sentences.ts';
import { countryField, defaultedParameter, isSoldIn, soldInOptions, storeField } from './common/fields.ts';
import { toTimestamp } from './common/from-proto.ts';
import * as shapes from './common/shapes.ts';
import { getTopChartExample } from './examples/get-top-chart-example.ts';

const maxRows = 200;

const row = z.object({
  rank: z
    .int()
    .min(1)
    .max(maxRows)
    .meta({ description: 'Place in the chart.', examples: [1] }),
  app_id: shapes.storeIdentifier,
  ios_id: z
    .int()
    .min(1)
    .nullable()
    .meta({ description: 'Numeric id of the App Store; null on Google Play.', examples: [9005997251] }),
  title: shapes.title,
  developer: shapes.developerName,
  icon: shapes.icon,
  rating: shapes.rating,
  price: z
    .number()
    .min(0)
    .nullable()
    .meta({ description: '0 is free; null when the store does not say.', examples: [0] }),
  currency: z
    .string()
    .nullable()
    .meta({ description: 'Of the price, ISO 4217; null when the store does not say.', examples: ['USD'] }),
  delta: z
    .int()
    .min(-maxRows)
    .max(maxRows)
    .meta({
      description:
        'Places won since the day before, lost ones negative; 0 for a new entry, and without a snapshot of the day before.',
      examples: [3],
    }),
  is_new: z.boolean().meta({
    description: 'It was not in the snapshot of the day before, however deep that was; false without one.',
    examples: [false],
  }),
});

export const getTopChart = defineRoute({
  method: 'get',
  path: '/api/v1/top-charts',
  operationId: 'getTopChart',
  summary: 'Top chart of a store',
  description:
    'The chart of today, by rank. One that nobody has asked for is read now, and daily as long as somebody asks for it within 30 days. The App Store shows 100 apps at most.',
  cost: 1,
  deadlineMs: 35_000,
  params: z.object({}),
  query: z
    .object({
      store: storeField,
      country: countryField,
      category: categoryKey.default('OVERALL'),
      collection: collection.default('free'),
      limit: defaultedParameter(`Rows, ${maxRows} at most.`, maxRows, 100),
    })
    .refine(isSoldIn, soldInOptions)
    .refine(isOfStore, ofStoreOptions),
  body: null,
  data: z.object({
    store: shapes.store,
    country: shapes.country,
    category: categoryKey,
    collection,
    snapshot_date: shapes.date.meta({ description: 'The UTC day on which the store was read.' }),
    total_count: shapes.countTo(maxRows).meta({ description: 'Rows of the snapshot.', examples: [100] }),
    rows: z.array(row).max(maxRows).meta({ description: 'By rank, as many as were asked for.' }),
  }),
  meta: z.object({
    total: shapes.countTo(maxRows).meta({ description: 'Rows of the snapshot.', examples: [100] }),
    read_at: shapes.timestamp.meta({ description: 'When the store was read.' }),
  }),
  example: getTopChartExample,
  errors: {
    STORE_FETCH_FAILED: storeTooSlow,
  },
  async handler({ query, clients, call }) {
    const request = { ...query, collection: collectionMessages[query.collection] };
    const reply = await clients.chart.getTopChart(request, call);
    const { rows, read_at: readAt } = reply;
    const { limit: _, ...asked } = query;
    return {
      data: {
        ...asked,
        snapshot_date: reply.snapshot_date,
        total_count: reply.total_count,
        rows: rows.map(toRow),
      },
      meta: { total: reply.total_count, read_at: toTimestamp(readAt) },
    };
  },
});

function toRow(app: ChartRow): z.output<typeof row> {
  return {
    ...app,
    ios_id: app.ios_id ?? null,
    rating: app.rating ?? null,
    price: app.price ?? null,
    currency: app.currency ?? null,
  };
}
