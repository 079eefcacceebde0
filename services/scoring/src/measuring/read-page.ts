import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { FoundApp } from '@shelfwise/proto/store/v1/store';
import { utcDay } from '@shelfwise/runtime/day';
import type { PageApp, ResultPage } from '../domain/keyword/keyword-reading.ts';
import type { Ranking } from '../stores/stored-term.ts';
import { admitReading, nextCall, type StoreReader, type StoreTurn } from './store-turn.ts';

/** As tracking asks, so that store-fetch answers both from one reading of the day. */
const depth = 100;
/** Whoever inspects a keyword is shown so many. */
const keptApps = 20;

/**
 * A keyword's result page. On Google Play its rows lack what difficulty and traffic are made of: their details are read
 * besides.
 * @throws STORE_FETCH_FAILED, SERVICE_UNAVAILABLE
 */
export async function readPage(
  reader: StoreReader,
  { storefront, keyword }: { storefront: Storefront; keyword: string },
  turn: StoreTurn,
): Promise<{ page: ResultPage; ranking: Ranking }> {
  const reply = await reader.storeFetch.searchApps(
    { storefront, term: keyword, limit: depth, for_daily_run: !turn.isAwaited },
    nextCall(turn),
  );
  const { read_at: readAt, source } = await admitReading(reader, reply.reading);
  const of = { day: utcDay(readAt), read_at: readAt, source };
  const isWhole = storefront.store === 'ITUNES' || reply.apps.length === 0;
  return {
    page: {
      ...of,
      size: reply.apps.length,
      apps: reply.apps.slice(0, keptApps).map(toPageApp),
      details_read_at: isWhole ? readAt : null,
    },
    ranking: { ...of, app_ids: reply.apps.map(({ app_id: appId }) => appId) },
  };
}

function toPageApp(app: FoundApp): PageApp {
  return {
    app_id: app.app_id,
    title: app.title,
    developer_name: app.developer_name,
    icon: app.icon,
    genre: app.genre ?? null,
    genre_key: app.genre_key ?? null,
    rating: app.score ?? null,
    ratings: app.ratings ?? null,
    installs: null,
    updated_at: app.updated_at ?? null,
  };
}
