import { setTimeout as sleep } from 'node:timers/promises';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { utcDay } from '@shelfwise/runtime/day';
import { nextReading } from '../domain/next-reading.ts';
import { type RankedApp, type ResultPage, type Snapshot, topDepth } from '../domain/snapshot.ts';
import { snapshotTaken } from '../domain/tracking-events.ts';
import {
  hasSnapshot,
  type KeywordMarket,
  type KeywordMarketStore,
  type KeywordMarketWithSnapshot,
  type LatestSnapshotChange,
} from '../stores/keyword-market-store.ts';
import type { RankedAppStore } from '../stores/ranked-app-store.ts';
import type { NewSnapshot, SnapshotStore } from '../stores/snapshot-store.ts';
import { missingRecord } from '../tracking-errors.ts';

/** A result page that was read, and its keyword. */
export type ReadPage = ResultPage & {
  storefront: Storefront;
  keyword: string;
  /** The stored keyword market, or the id for a new one. */
  market: Omit<KeywordMarket, 'latest'> | { newId: number };
  /** The number of rows that track the keyword, if they were just counted. */
  trackerCount?: number;
  requestId: string;
};

type QueuedPage = {
  page: ReadPage;
  resolve: (market: KeywordMarketWithSnapshot) => void;
  reject: (reason: unknown) => void;
};

type PageOfMarket = QueuedPage & { market: Omit<KeywordMarket, 'latest'> };

const pagesPerBatch = 50;
/** How long a page waits for others to share its batch. */
const gatherMs = 3;

export type SaveResultPages = ReturnType<typeof createSaveResultPages>;

/**
 * Saves result pages in batches: an app on several pages is read and written once, and the pages share the disk sync.
 * A batch is written in this order: the apps, the keyword markets, the snapshots of the day each with its event, the
 * latest snapshots of the keyword markets. After a crash between two writes, the next attempt completes them. Only
 * the first attempt per keyword and day publishes its snapshot, whether or not it is the latest.
 */
export function createSaveResultPages(deps: {
  keywordMarkets: KeywordMarketStore;
  snapshots: SnapshotStore;
  rankedApps: RankedAppStore;
  now: () => Date;
  /** Called after an event is written. */
  wakeRelay: () => void;
}) {
  const { keywordMarkets, snapshots, rankedApps, now, wakeRelay } = deps;
  const queue: QueuedPage[] = [];
  let saving: Promise<void> | null = null;

  async function saveAll(): Promise<void> {
    while (queue.length > 0) {
      if (queue.length < pagesPerBatch) await sleep(gatherMs);
      const batch = queue.splice(0, pagesPerBatch);
      try {
        await saveBatch(batch);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    saving = null;
  }

  async function saveBatch(batch: readonly QueuedPage[]): Promise<void> {
    await rankedApps.save(batch.map(({ page }) => page));
    const pages = (await Promise.all(batch.map(findMarket))).filter((page) => page !== null);
    const at = now();
    const stored = await snapshots.saveFirst(
      pages.map((page) => toNewSnapshot(page, at)),
      at,
    );
    wakeRelay();
    const withLatest = await Promise.all(pages.map((page, index) => addLatest(page, stored[index])));
    const saved = withLatest.filter((page) => page !== null);
    await keywordMarkets.setLatest(saved.map((page) => toChange(page, at)));
    for (const { market, resolve } of saved) resolve(market);
  }

  /** Null when the caller is already answered: the keyword market has a snapshot of that day or a later one. */
  async function findMarket(queued: QueuedPage): Promise<PageOfMarket | null> {
    const { page, resolve } = queued;
    if (!('newId' in page.market)) return { ...queued, market: page.market };
    const market = await keywordMarkets.findOrCreate(page.storefront, page.keyword, page.market.newId);
    if (!hasSnapshot(market) || market.latest.day < page.snapshot.day) return { ...queued, market };
    resolve(market);
    return null;
  }

  /** Null when an app of the stored snapshot is missing; only that page is rejected. */
  async function addLatest(queued: PageOfMarket, stored: Snapshot = queued.page.snapshot) {
    try {
      const top = await findTop(queued.page, stored);
      return { ...queued, market: { ...queued.market, latest: { ...stored, top } } };
    } catch (error) {
      queued.reject(error);
      return null;
    }
  }

  async function findTop({ storefront, snapshot, apps }: ReadPage, stored: Snapshot): Promise<RankedApp[]> {
    if (stored === snapshot) return apps.slice(0, topDepth);
    const appIds = stored.app_ids.slice(0, topDepth);
    const appById = await rankedApps.findMany(storefront, appIds);
    return appIds.map((appId) => {
      const app = appById.get(appId);
      if (!app) throw missingRecord(`ranked app ${appId}`);
      return app;
    });
  }

  return {
    /**
     * Adds a page to the next batch. Resolves when it is saved, with the keyword market and its latest snapshot: the
     * page's, unless another snapshot of that day was stored earlier.
     */
    add(page: ReadPage): Promise<KeywordMarketWithSnapshot> {
      return new Promise((resolve, reject) => {
        queue.push({ page, resolve, reject });
        saving ??= saveAll();
      });
    },

    /** Resolves when no page is waiting to be saved. */
    async idle(): Promise<void> {
      while (saving) await saving;
    },
  };
}

function toNewSnapshot({ page, market }: PageOfMarket, at: Date): NewSnapshot {
  const { keyword, storefront, snapshot, requestId } = page;
  const key = { keyword_id: market._id, keyword, storefront };
  return { keywordId: market._id, snapshot, event: snapshotTaken(key, snapshot, { at, requestId }) };
}

function toChange(
  { page, market }: { page: ReadPage; market: KeywordMarketWithSnapshot },
  at: Date,
): LatestSnapshotChange {
  const { _id: id, latest } = market;
  const { trackerCount } = page;
  return {
    id,
    latest,
    plannedAt: nextReading(id, latest.day, utcDay(at)),
    ...(trackerCount !== undefined && { trackerCount }),
  };
}
