import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { FoundApp } from '@shelfwise/proto/store/v1/store';
import { utcDay } from '@shelfwise/runtime/day';
import type { PageApp, ResultPage } from '../domain/keyword/keyword-reading.ts';
import { type Ranking, toRanking } from '../stores/term.ts';
import { admitReading, nextCall, type ReadContext, type StoreReader } from './store-reader.ts';

/** The same depth as in tracking, so that store-fetch answers both services from one reading of the day. */
const depth = 100;
/** As many as an inspection shows. */
export const storedApps = 20;

/**
 * A keyword's result page. On Google Play its rows lack the inputs of difficulty and traffic: `readDetails` reads
 * them separately. `hadResults`: whether the last known page of the keyword has results; null: there is none.
 * @throws STORE_FETCH_FAILED, SERVICE_UNAVAILABLE
 */
export async function readPage(
  reader: StoreReader,
  {
    storefront,
    keyword,
    hadResults,
  }: { storefront: Storefront; keyword: string; hadResults: boolean | null },
  context: ReadContext,
): Promise<{ page: ResultPage; ranking: Ranking }> {
  const reply = await reader.storeFetch.searchApps(
    {
      storefront,
      term: keyword,
      limit: depth,
      for_daily_run: !context.isUserWaiting,
      had_results: hadResults ?? undefined,
      complete_rows: storedApps,
    },
    nextCall(context),
  );
  const reading = await admitReading(reader, reply.reading);
  const origin = { day: utcDay(reading.read_at), ...reading };
  const hasDetails = storefront.store === 'ITUNES' || reply.apps.length === 0;
  const page: ResultPage = {
    ...origin,
    size: reply.apps.length,
    apps: reply.apps.slice(0, storedApps).map(toPageApp),
    details_read_at: hasDetails ? reading.read_at : null,
  };
  const ranking = toRanking(
    origin,
    reply.apps.map((app) => app.app_id),
  );
  if (reply.is_suspect) {
    page.is_suspect = true;
    ranking.is_suspect = true;
  }
  return { page, ranking };
}

function toPageApp(app: FoundApp): PageApp {
  return {
    app_id: app.app_id,
    title: app.title ?? null,
    developer_name: app.developer_name ?? null,
    icon: app.icon ?? null,
    genre: app.genre ?? null,
    genre_key: app.genre_key ?? null,
    rating: app.score ?? null,
    ratings: app.ratings ?? null,
    installs: null,
    updated_at: app.updated_at ?? null,
  };
}
