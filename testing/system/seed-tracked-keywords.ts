import type { Store } from '@shelfwise/facts/stores/store';
import { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { createGrpcClient } from '@shelfwise/runtime/grpc/client/grpc-client';
import type { GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import type { Logger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { createRun } from '@shelfwise/runtime/process/run';
import { storeFetchDatabase } from '@shelfwise/store-fetch/config';
import { createStoreFetchServer } from '@shelfwise/store-fetch/server';
import type { StoreSource } from '@shelfwise/store-fetch/source';
import { createTrackingServer } from '@shelfwise/tracking/server';
import type { Connection } from 'mongoose';

/** A keyword in a storefront, and the app that tracks it. */
export type KeywordToTrack = { store: Store; country: string; lang: string; app_id: string; keyword: string };

const listenAddress = '127.0.0.1:0';
/** Small batches: with a database server that executes one command at a time, large batches run into timeouts. */
const keywordsPerCall = 5;
const accountId = 'daily-run';

/**
 * Tracks the keywords through the API of the services, with `now` as their clock (usually yesterday). Tracking takes the
 * snapshots of that day.
 */
export async function seedTrackedKeywords(
  keywords: readonly KeywordToTrack[],
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
    });
    await run.start(tracking);
    const trackingClient = createGrpcClient({
      service: TrackingServiceService,
      name: 'tracking',
      address: tracking.address(),
    });
    run.onStop('tracking client', async () => trackingClient.close());
    for (const group of groupByApp(keywords)) await trackAll(trackingClient.client, group);
  } finally {
    run.stop(0);
    await run.ended;
  }
}

function groupByApp(keywords: readonly KeywordToTrack[]): KeywordToTrack[][] {
  const groups = new Map<string, KeywordToTrack[]>();
  for (const keyword of keywords) {
    const { store, country, lang, app_id: appId } = keyword;
    const key = `${store} ${country} ${lang} ${appId}`;
    groups.set(key, [...(groups.get(key) ?? []), keyword]);
  }
  return [...groups.values()];
}

async function trackAll(tracking: GrpcClient<typeof TrackingServiceService>, group: KeywordToTrack[]) {
  const [{ app_id: appId, store, country, lang } = fail('no keywords')] = group;
  const storefront = { store, country, lang };
  const call = () => ({ requestId: 'seed', deadline: new Date(Date.now() + 60_000) });
  const app = await tracking.trackApplication({ account_id: accountId, storefront, app_id: appId }, call());
  for (let at = 0; at < group.length; at += keywordsPerCall) {
    const keywords = group.slice(at, at + keywordsPerCall).map(({ keyword }) => keyword);
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
