import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { Collection } from '@shelfwise/proto/store/v1/store';
import type { ChartReading, ResultPage } from '../domain/keyword/keyword-reading.ts';
import { admitReading, nextCall, readOrRefusal, type StoreReader, type StoreTurn } from './store-turn.ts';

const chartDepth = 100;
/** Traffic looks at so many results. */
const lookedAt = 10;

/**
 * How many of a page's first results stand in the storefront's overall free chart, which store-fetch reads once a day
 * for all keywords; null when it cannot be read, or there is nothing to look for.
 */
export async function readChart(
  reader: StoreReader,
  storefront: Storefront,
  page: ResultPage,
  turn: StoreTurn,
): Promise<ChartReading | null> {
  if (page.apps.length === 0) return null;
  const read = await readOrRefusal(turn, readFreeChart(reader, storefront, turn));
  if ('refusal' in read) return null;
  const { appIds, ...reading } = read.found;
  const charted = page.apps.slice(0, lookedAt).filter(({ app_id: appId }) => appIds.has(appId)).length;
  return { ...reading, charted };
}

async function readFreeChart(reader: StoreReader, storefront: Storefront, turn: StoreTurn) {
  const reply = await reader.storeFetch.getChart(
    {
      storefront,
      category: 'OVERALL',
      collection: Collection.FREE,
      limit: chartDepth,
      for_daily_run: !turn.isAwaited,
    },
    nextCall(turn),
  );
  const reading = await admitReading(reader, reply.reading);
  return { ...reading, appIds: new Set(reply.apps.map(({ app_id: appId }) => appId)) };
}
