import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { Collection } from '@shelfwise/proto/store/v1/store';
import type { ChartReading, ResultPage } from '../domain/keyword/keyword-reading.ts';
import { admitReading, nextCall, type ReadContext, readOrFailure, type StoreReader } from './store-reader.ts';

const chartDepth = 100;
/** Traffic uses this many results. */
const topSize = 10;

/**
 * How many of a page's first results are in the storefront's overall free chart, which store-fetch reads once a day
 * for all keywords. Null when the chart cannot be read or the page has no results.
 */
export async function readChart(
  reader: StoreReader,
  storefront: Storefront,
  page: ResultPage,
  context: ReadContext,
): Promise<ChartReading | null> {
  if (page.apps.length === 0) return null;
  const read = await readOrFailure(context, readFreeChart(reader, storefront, context));
  if ('failure' in read) return null;
  const { appIds, ...reading } = read.found;
  const charted = page.apps.slice(0, topSize).filter((app) => appIds.has(app.app_id)).length;
  return { ...reading, charted };
}

async function readFreeChart(reader: StoreReader, storefront: Storefront, context: ReadContext) {
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
