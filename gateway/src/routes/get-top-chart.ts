import { collectionMessages } from '@shelfwise/facts/checks/check-collection';
import type { ChartRow } from '@shelfwise/proto/chart/v1/chart';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { toTimestamp } from './answers/from-proto.ts';
import { categoryKey, categoryOfStoreOptions, collection, isCategoryOfStore } from './route/chart-fields.ts';
import { csvTable } from './route/csv-table.ts';
import { defineRoute, type RouteRequest } from './route/define-route.ts';
import { storeNotReadInTime } from './route/error-examples.ts';
import { countryField, inStorefront, integerParameterWithDefault, storeField } from './route/fields.ts';
import { isStale, rankAge } from './shapes/ages.ts';
import * as shapes from './shapes/shapes.ts';

const maxRows = 200;

const row = z.object({
  rank: z
    .int()
    .min(1)
    .max(maxRows)
    .meta({ description: 'Rank in the chart.', examples: [1] }),
  app_id: shapes.storeIdentifier,
  ios_id: z
    .int()
    .min(1)
    .nullable()
    .meta({ description: 'Numeric id in the App Store; null on Google Play.', examples: [9005997251] }),
  apple_id: z
    .int()
    .min(1)
    .nullable()
    .meta({ description: 'The same as ios_id.', examples: [9005997251] }),
  title: shapes.title,
  developer: shapes.developerName,
  icon: shapes.icon,
  rating: shapes.rating,
  price: z
    .number()
    .min(0)
    .nullable()
    .meta({ description: 'Price, 0 when free; null when the store does not show it.', examples: [0] }),
  currency: z
    .string()
    .nullable()
    .meta({
      description: 'Currency of the price, ISO 4217; null when the store does not show it.',
      examples: ['USD'],
    }),
  delta: z
    .int()
    .min(-maxRows)
    .max(maxRows)
    .meta({
      description:
        'Ranks gained since the day before, negative when ranks were lost; 0 for a new entry and without a snapshot of the day before.',
      examples: [3],
    }),
  is_new: z.boolean().meta({
    description: 'Whether the app was not in the snapshot of the day before; false without one.',
    examples: [false],
  }),
  ...rankAge,
});

const chartFields = {
  store: shapes.store,
  country: shapes.country,
  category: categoryKey,
  collection,
  snapshot_date: shapes.date.meta({ description: 'UTC day of the snapshot.' }),
};

const topChart = z.object({
  ...chartFields,
  total_count: shapes
    .boundedCount(maxRows)
    .meta({ description: 'Number of rows in the snapshot.', examples: [100] }),
  rows: z.array(row).max(maxRows).meta({ description: 'Rows by rank, at most limit.' }),
});

export type ChartDeps = { chart: Pick<Clients['chart'], 'getTopChart'> };

export const chartQuery = inStorefront(
  z.object({
    store: storeField,
    country: countryField,
    category: categoryKey.default('OVERALL'),
    collection: collection.default('free'),
    limit: integerParameterWithDefault(`Number of rows, at most ${maxRows}.`, maxRows, 100),
  }),
).refine(isCategoryOfStore, categoryOfStoreOptions);

export const getTopChart = defineRoute({
  method: 'get',
  path: '/api/v1/top-charts',
  operationId: 'getTopChart',
  tag: 'Top charts',
  summary: 'Get a top chart',
  description:
    'Today’s chart, by rank. A chart that is requested for the first time is read now, and then daily while it is requested at least once in 30 days. The App Store shows at most 100 apps.',
  cost: 1,
  services: ['chart'],
  deadlineMs: 35_000,
  query: chartQuery,
  sample: { query: { store: 'ITUNES', country: 'US' } },
  data: topChart,
  csv: csvTable(
    z.object({ ...chartFields, ...row.shape }),
    ({ rows, total_count: _, ...chart }: z.output<typeof topChart>) =>
      rows.map((app) => ({ ...chart, ...app })),
  ),
  meta: z.object({
    total: shapes
      .boundedCount(maxRows)
      .meta({ description: 'Number of rows in the snapshot.', examples: [100] }),
    read_at: shapes.timestamp.meta({ description: 'When the chart was read from the store.' }),
  }),
  errors: {
    STORE_FETCH_FAILED: storeNotReadInTime,
  },
  handler: async (deps: ChartDeps, request) => (await answerChart(deps, request, { keptOnly: false })).answer,
});

/**
 * @param options.keptOnly a chart that has not been read today is NOT_FOUND
 * @returns the answer of the endpoint, and whether the movement since the day before is known
 */
export async function answerChart(
  deps: ChartDeps,
  { query, call, now }: Pick<RouteRequest<z.ZodObject, typeof chartQuery, null>, 'query' | 'call' | 'now'>,
  { keptOnly }: { keptOnly: boolean },
) {
  const { store, country, category, collection, limit } = query;
  const chart = { store, country, category, collection: collectionMessages[collection] };
  const reply = await deps.chart.getTopChart({ ...chart, limit, kept_only: keptOnly }, call);
  const { snapshot_date: day } = reply;
  const age = { rank_date: day, stale: isStale(day, now) };
  const answer = {
    data: {
      store,
      country,
      category,
      collection,
      snapshot_date: day,
      total_count: reply.total_count,
      rows: reply.rows.map((app) => ({ ...toRow(app), ...age })),
    },
    meta: { total: reply.total_count, read_at: toTimestamp(reply.read_at) },
  };
  return { answer, hasDayBefore: reply.has_day_before };
}

function toRow(app: ChartRow): Omit<z.output<typeof row>, keyof typeof rankAge> {
  return {
    ...app,
    title: app.title ?? null,
    developer: app.developer ?? null,
    icon: app.icon ?? null,
    ios_id: app.ios_id ?? null,
    apple_id: app.ios_id ?? null,
    rating: app.rating ?? null,
    price: app.price ?? null,
    currency: app.currency ?? null,
  };
}
