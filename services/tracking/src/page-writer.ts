import { setTimeout as sleep } from 'node:timers/promises';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { utcDay } from '@shelfwise/runtime/day';
import { nextReading } from './domain/next-reading.ts';
import { type RankedApp, type ResultPage, type Snapshot, topDepth } from './domain/snapshot.ts';
import { snapshotTaken } from './domain/tracking-events.ts';
import { unreadable } from './refusals.ts';
import type { LatestSnapshot, Market, MarketStore, SnapshotChange } from './stores/market-store.ts';
import type { RankedAppStore } from './stores/ranked-app-store.ts';
import type { FreshSnapshot, SnapshotStore } from './stores/snapshot-store.ts';

/** A market whose newest snapshot is known. */
export type RankedMarket = Market & { latest: LatestSnapshot };

export function isRanked(market: Market): market is RankedMarket {
  return market.latest != null;
}

/** A result page that was read, and what it is of. */
export type ReadPage = ResultPage & {
  storefront: Storefront;
  keyword: string;
  /** The market as it was found, or the id that it gets when it is new. */
  market: Omit<Market, 'latest'> | { newId: number };
  /** How many track it, when that was counted just now. */
  watchers?: number;
  requestId: string;
};

type Waiting = {
  read: ReadPage;
  resolve: (market: RankedMarket) => void;
  reject: (reason: unknown) => void;
};

type Placed = Waiting & { market: Omit<Market, 'latest'> };

const pagesAtOnce = 50;
/** How long a page waits for others that come at the same time. */
const gatherMs = 3;

export type PageWriter = ReturnType<typeof createPageWriter>;

/**
 * Writes result pages, many at a time: what several name is read and written once, and they share the waiting for the
 * disk. The order of the writes is that of one page: the apps that it names, its market, the day's snapshot together with
 * its event, then the market's newest snapshot. Each may be the last one before a crash; the next attempt repairs what is
 * missing, and only one attempt per market and day can tell of a snapshot, whether or not it is the market's newest.
 */
export function createPageWriter(deps: {
  markets: MarketStore;
  snapshots: SnapshotStore;
  rankedApps: RankedAppStore;
  now: () => Date;
  /** Told after an event was written. */
  wake: () => void;
}) {
  const { markets, snapshots, rankedApps, now, wake } = deps;
  const queue: Waiting[] = [];
  let writing: Promise<void> | null = null;

  async function writeAll(): Promise<void> {
    while (queue.length > 0) {
      if (queue.length < pagesAtOnce) await sleep(gatherMs);
      const some = queue.splice(0, pagesAtOnce);
      try {
        await writeSome(some);
      } catch (error) {
        for (const { reject } of some) reject(error);
      }
    }
    writing = null;
  }

  async function writeSome(some: readonly Waiting[]): Promise<void> {
    await rankedApps.save(some.map(({ read }) => read));
    const placed = (await Promise.all(some.map(place))).filter((page) => page !== null);
    const at = now();
    const kept = await snapshots.keepFirst(
      placed.map((page) => toFresh(page, at)),
      at,
    );
    wake();
    const ranked = await Promise.all(placed.map((page, index) => rank(page, kept[index])));
    const written = ranked.filter((page) => page !== null);
    await markets.setLatest(written.map((page) => toChange(page, at)));
    for (const { market, resolve } of written) resolve(market);
  }

  /** Null when whoever waits is answered already: the market has a snapshot of that day or a later one. */
  async function place(page: Waiting): Promise<Placed | null> {
    const { read, resolve } = page;
    if (!('newId' in read.market)) return { ...page, market: read.market };
    const market = await markets.findOrCreate(read.storefront, read.keyword, read.market.newId);
    if (!isRanked(market) || market.latest.day < read.snapshot.day) return { ...page, market };
    resolve(market);
    return null;
  }

  /** Null when the snapshot that is kept cannot be read whole; that is the error of its page alone. */
  async function rank(page: Placed, kept: Snapshot = page.read.snapshot) {
    try {
      const top = await topOf(page.read, kept);
      return { ...page, market: { ...page.market, latest: { ...kept, top } } };
    } catch (error) {
      page.reject(error);
      return null;
    }
  }

  async function topOf({ storefront, snapshot, apps }: ReadPage, kept: Snapshot): Promise<RankedApp[]> {
    if (kept === snapshot) return apps.slice(0, topDepth);
    const appIds = kept.app_ids.slice(0, topDepth);
    const known = await rankedApps.findMany(storefront, appIds);
    return appIds.map((appId) => {
      const app = known.get(appId);
      if (!app) throw unreadable(`ranked app ${appId}`);
      return app;
    });
  }

  return {
    /** The market with its newest snapshot: that of the page, unless the first one of that day is another. */
    write(read: ReadPage): Promise<RankedMarket> {
      return new Promise((resolve, reject) => {
        queue.push({ read, resolve, reject });
        writing ??= writeAll();
      });
    },

    /** Resolves when nothing waits any more. */
    async idle(): Promise<void> {
      while (writing) await writing;
    },
  };
}

function toFresh({ read, market }: Placed, at: Date): FreshSnapshot {
  const { keyword, storefront, snapshot, requestId } = read;
  const key = { keyword_id: market._id, keyword, storefront };
  return { keywordId: market._id, snapshot, event: snapshotTaken(key, snapshot, { at, requestId }) };
}

function toChange({ read, market }: { read: ReadPage; market: RankedMarket }, at: Date): SnapshotChange {
  const { _id: id, latest } = market;
  const { watchers } = read;
  return {
    id,
    latest,
    plannedAt: nextReading(id, latest.day, utcDay(at)),
    ...(watchers !== undefined && { watchers }),
  };
}
