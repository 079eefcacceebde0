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
  /** The stored keyword market; or, when it may not exist yet, the id that it then gets. */
  market: Omit<KeywordMarket, 'latest'> | { newId: number };
  /** The number of `tracked_keywords` rows of the keyword; absent: not counted, and the stored number stays. */
  trackerCount?: number;
  requestId: string;
};

/** A page, and how its caller is answered. */
type QueuedPage = {
  page: ReadPage;
  resolve: (market: KeywordMarketWithSnapshot) => void;
  reject: (reason: unknown) => void;
};

/** A page whose keyword market is stored. */
type PageOfMarket = QueuedPage & { market: Omit<KeywordMarket, 'latest'> };

const pagesPerBatch = 50;
/** How long a page waits for others to share its batch. */
const gatherMs = 3;

export type SaveResultPages = ReturnType<typeof createSaveResultPages>;

/**
 * Saves result pages in batches: an app on several pages is read and written once, and the pages of a batch share one
 * disk sync. A batch is written in this order: the apps, the keyword markets, the snapshots with their events, the
 * latest snapshots of the keyword markets. After a crash in between, the next page of the keyword completes the writes.
 * The first page of a keyword and day becomes that day's snapshot and is published, also when a snapshot of a later day
 * exists; further pages of the day are dropped.
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
    const pagesWithLatest = await Promise.all(pages.map((page, index) => addLatest(page, stored[index])));
    const saved = pagesWithLatest.filter((page) => page !== null);
    await keywordMarkets.setLatest(saved.map((page) => toChange(page, at)));
    for (const { market, resolve } of saved) resolve(market);
  }

  /**
   * Finds or creates the keyword market of a page. If another call has stored a snapshot of the page's day or a later
   * one, drops the page, answers its caller with that snapshot, and returns null.
   */
  async function findMarket(queued: QueuedPage): Promise<PageOfMarket | null> {
    const { page, resolve } = queued;
    if (!('newId' in page.market)) return { ...queued, market: page.market };
    const market = await keywordMarkets.findOrCreate(page.storefront, page.keyword, page.market.newId);
    if (!hasSnapshot(market) || market.latest.day < page.snapshot.day) return { ...queued, market };
    resolve(market);
    return null;
  }

  /**
   * Adds the stored snapshot of the page's day, with its first apps, as the latest one. When these apps cannot be read,
   * rejects this page only and returns null.
   */
  async function addLatest(queued: PageOfMarket, stored: Snapshot = queued.page.snapshot) {
    try {
      const top = await findTop(queued.page, stored);
      return { ...queued, market: { ...queued.market, latest: { ...stored, top } } };
    } catch (error) {
      queued.reject(error);
      return null;
    }
  }

  /** The first apps of the stored snapshot: taken from the page, unless an earlier page of that day is stored. */
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
     * Adds a page to the next batch. Resolves when it is saved, with the keyword market and, as `latest`, the stored
     * snapshot of the page's day: the page's own, unless another page was stored earlier. For a keyword market given by
     * `newId`, `latest` may be of a later day.
     */
    add(page: ReadPage): Promise<KeywordMarketWithSnapshot> {
      return new Promise((resolve, reject) => {
        queue.push({ page, resolve, reject });
        saving ??= saveAll();
      });
    },

    /** Resolves when all added pages are saved or rejected. */
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
    trackerCount,
  };
}
