import { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { createGrpcClient } from '@shelfwise/runtime/grpc/grpc-client';
import type { GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import type { Logger } from '@shelfwise/runtime/logger';
import { createMetrics } from '@shelfwise/runtime/metrics';
import { createRun } from '@shelfwise/runtime/process/run';
import { storeFetchDatabase } from '@shelfwise/store-fetch/config';
import { createStoreFetchServer } from '@shelfwise/store-fetch/server';
import type { StoreSource } from '@shelfwise/store-fetch/sources/source';
import { createTrackingServer } from '@shelfwise/tracking/server';
import type { Connection } from 'mongoose';
import type { MarketToTrack } from '../../experiments/lib/markets.ts';

const listenAddress = '127.0.0.1:0';
/** Small, because a server that runs one command at a time would let other connections wait too long. */
const keywordsPerCall = 5;
const accountId = 'daily-run';

/**
 * Tracks the markets through the API of the services at the time of `now`, usually yesterday. The first snapshots
 * belong to that day.
 */
export async function seedMarkets(
  markets: readonly MarketToTrack[],
  deps: { connection: Connection; source: StoreSource; now: () => Date; logger: Logger },
): Promise<void> {
  const { connection, source, now, logger } = deps;
  const metrics = createMetrics();
  const run = createRun(logger);
  try {
    const storeFetch = createStoreFetchServer({
      source,
      checks: {},
      logger,
      metrics,
      listenAddress,
      contracts: null,
      now,
      connection: connection.useDb(storeFetchDatabase),
      isDatabaseEmbedded: true,
    });
    await run.start(storeFetch);
    const storeFetchClient = createGrpcClient({
      service: StoreFetchServiceService,
      name: 'store-fetch',
      address: storeFetch.address(),
    });
    run.onStop('store-fetch client', async () => storeFetchClient.close());
    const tracking = createTrackingServer({
      connection,
      isDatabaseEmbedded: true,
      storeFetch: storeFetchClient.client,
      bus: null,
      logger,
      metrics,
      now,
      listenAddress,
      dailyRun: false,
      contracts: null,
    });
    await run.start(tracking);
    const trackingClient = createGrpcClient({
      service: TrackingServiceService,
      name: 'tracking',
      address: tracking.address(),
    });
    run.onStop('tracking client', async () => trackingClient.close());
    for (const appMarkets of groupByApp(markets)) await trackAll(trackingClient.client, appMarkets);
  } finally {
    run.stop(0);
    await run.ended;
  }
}

function groupByApp(markets: readonly MarketToTrack[]): MarketToTrack[][] {
  const groups = new Map<string, MarketToTrack[]>();
  for (const market of markets) {
    const key = `${market.store} ${market.country} ${market.lang} ${market.app_id}`;
    groups.set(key, [...(groups.get(key) ?? []), market]);
  }
  return [...groups.values()];
}

async function trackAll(tracking: GrpcClient<typeof TrackingServiceService>, markets: MarketToTrack[]) {
  const [first = fail('no markets')] = markets;
  const storefront = { store: first.store, country: first.country, lang: first.lang };
  const call = () => ({ requestId: 'seed', deadline: new Date(Date.now() + 60_000) });
  const app = await tracking.trackApplication(
    { account_id: accountId, storefront, app_id: first.app_id },
    call(),
  );
  for (let index = 0; index < markets.length; index += keywordsPerCall) {
    const keywords = markets.slice(index, index + keywordsPerCall).map(({ keyword }) => keyword);
    const { results } = await tracking.trackKeywords(
      { account_id: accountId, app_id: app.id, storefront, keywords },
      call(),
    );
    const refused = results.find(({ outcome }) => outcome?.$case !== 'success');
    if (refused) throw new Error(`tracking ${refused.keyword} failed`, { cause: refused.outcome });
  }
}

function fail(reason: string): never {
  throw new Error(reason);
}
