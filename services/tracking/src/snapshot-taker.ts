import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import type { CallOptions, GrpcClient } from '@shelfwise/runtime/grpc-types';
import { utcDay } from './domain/day.ts';
import {
  maxDepth,
  type RankedApp,
  type ResultPage,
  type Snapshot,
  topDepth,
  toSnapshot,
} from './domain/snapshot.ts';
import { type Storefront, storefrontKey } from './domain/storefront.ts';
import { snapshotTaken } from './domain/tracking-events.ts';
import { unreadable } from './refusals.ts';
import { createSharedFlights } from '@shelfwise/runtime/shared-flights';
import type { SourceGuard } from './source-guard.ts';
import type { LatestSnapshot, Market, MarketStore } from './stores/market-store.ts';
import type { RankedAppStore } from './stores/ranked-app-store.ts';
import type { SnapshotStore } from './stores/snapshot-store.ts';

/** One reading of a store; its waiters may give up earlier. */
const readMs = 25_000;

/** A market whose newest snapshot is known. */
export type RankedMarket = Market & { latest: LatestSnapshot };

/** The keyword of a market, and the id that the market gets when it is new. */
export type WantedMarket = { keyword: string; newId: number };

export type SnapshotTaker = ReturnType<typeof createSnapshotTaker>;

/** Takes at most one snapshot per market and day, however many accounts ask for it. */
export function createSnapshotTaker(deps: {
  markets: MarketStore;
  snapshots: SnapshotStore;
  rankedApps: RankedAppStore;
  storeFetch: GrpcClient<typeof StoreFetchServiceService>;
  sourceGuard: SourceGuard;
  now: () => Date;
  /** Told after an event was written. */
  wake: () => void;
}) {
  const { markets, snapshots, rankedApps, storeFetch, sourceGuard, now, wake } = deps;
  const flights = createSharedFlights<RankedMarket>();

  async function take(
    storefront: Storefront,
    wanted: WantedMarket,
    call: CallOptions & { signal: AbortSignal },
  ) {
    const request = { storefront, term: wanted.keyword, limit: maxDepth };
    const page = toSnapshot(await storeFetch.searchApps(request, call));
    await sourceGuard.admit(page.snapshot.source);
    call.signal.throwIfAborted();
    return save(storefront, wanted, page, call.requestId);
  }

  /**
   * Each step may be the last one before a crash; the next attempt repairs what is missing. The event goes with the
   * last write, which only one attempt per market and day can make.
   */
  async function save(
    storefront: Storefront,
    { keyword, newId }: WantedMarket,
    { snapshot: fresh, apps }: ResultPage,
    requestId: string,
  ): Promise<RankedMarket> {
    await rankedApps.save(storefront, apps);
    const market = await markets.findOrCreate(storefront, keyword, newId);
    if (isRanked(market) && market.latest.day >= fresh.day) return market;
    const kept = await snapshots.keepFirst(market._id, fresh);
    const latest = { ...kept, top: await topOf(storefront, kept) };
    const at = now();
    const event = snapshotTaken({ keyword_id: market._id, keyword, storefront }, kept, { at, requestId });
    if (await markets.setLatest(market._id, latest, at, event)) wake();
    return { ...market, latest };
  }

  async function topOf(storefront: Storefront, snapshot: Snapshot): Promise<RankedApp[]> {
    const appIds = snapshot.app_ids.slice(0, topDepth);
    const known = await rankedApps.findMany(storefront, appIds);
    return appIds.map((appId) => {
      const app = known.get(appId);
      if (!app) throw unreadable(`ranked app ${appId}`);
      return app;
    });
  }

  return {
    /**
     * The market with a snapshot of today: the one that is there, or one read from the store now. Waits until
     * `call.signal` fires. Nothing is written when the store cannot be read.
     * @throws STORE_FETCH_FAILED, SERVICE_UNAVAILABLE, or the signal's reason
     */
    async takeToday(
      storefront: Storefront,
      wanted: WantedMarket,
      call: { requestId: string; signal: AbortSignal },
    ): Promise<RankedMarket> {
      const { keyword } = wanted;
      const market = await markets.find(storefront, keyword);
      if (market && isRanked(market) && market.latest.day >= utcDay(now())) return market;
      return flights.join(`${storefrontKey(storefront)}:${keyword}`, call.signal, (signal) =>
        take(storefront, wanted, {
          requestId: call.requestId,
          deadline: new Date(Date.now() + readMs),
          signal,
        }),
      );
    },
  };
}

export function isRanked(market: Market): market is RankedMarket {
  return market.latest != null;
}
