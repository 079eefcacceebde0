import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import { Collection } from '@shelfwise/proto/store/v1/store';
import type { ChartReading, ResultPage } from '../domain/keyword/keyword-reading.ts';
import { admitReading, nextCall, type ReadContext, readOrFailure, type StoreReader } from './store-reader.ts';

const chartDepth = 100;
/** Traffic uses this many results. */
const topSize = 10;
/** store-fetch reads a chart once a day. Without this memory each measurement would decode all of its apps again. */
const rememberedMs = 10 * 60_000;
/** About 10 KB each. */
const rememberedCharts = 300;

type FreeChart = { read_at: Date; source: string; appIds: ReadonlySet<string> };

/** Reads the overall free chart of a storefront. Remembers the last charts for ten minutes. */
export type ReadFreeChart = (storefront: Storefront, context: ReadContext) => Promise<FreeChart>;

/**
 * How many of a page's first results are in the storefront's overall free chart, which store-fetch reads once a day
 * for all keywords. Null when the chart cannot be read or the page has no results.
 */
export async function readChart(
  { readFreeChart }: { readFreeChart: ReadFreeChart },
  storefront: Storefront,
  page: ResultPage,
  context: ReadContext,
): Promise<ChartReading | null> {
  if (page.apps.length === 0) return null;
  const read = await readOrFailure(context, readFreeChart(storefront, context));
  if ('failure' in read) return null;
  const { appIds, ...reading } = read.found;
  const charted = page.apps.slice(0, topSize).filter((app) => appIds.has(app.app_id)).length;
  return { ...reading, charted };
}

/** @throws STORE_FETCH_FAILED, SERVICE_UNAVAILABLE; failures are not remembered */
export function createReadFreeChart(reader: StoreReader): ReadFreeChart {
  const charts = new Map<string, { chart: FreeChart; until: number }>();

  return async (storefront, context) => {
    const key = storefrontKey(storefront);
    const known = charts.get(key);
    const at = reader.now().getTime();
    if (known && at < known.until) return known.chart;
    const chart = await readFromStore(reader, storefront, context);
    charts.delete(key);
    charts.set(key, { chart, until: at + rememberedMs });
    const [oldest] = charts.keys();
    if (charts.size > rememberedCharts && oldest !== undefined) charts.delete(oldest);
    return chart;
  };
}

async function readFromStore(
  reader: StoreReader,
  storefront: Storefront,
  context: ReadContext,
): Promise<FreeChart> {
  const reply = await reader.storeFetch.getChart(
    {
      storefront,
      category: 'OVERALL',
      collection: Collection.FREE,
      limit: chartDepth,
      for_daily_run: !context.isUserWaiting,
    },
    nextCall(context),
  );
  const reading = await admitReading(reader, reply.reading);
  return { ...reading, appIds: new Set(reply.apps.map((app) => app.app_id)) };
}
