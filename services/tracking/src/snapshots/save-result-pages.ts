import { utcDay } from '@shelfwise/runtime/day';
import type { WakeRelay } from '@shelfwise/runtime/events/outbox-relay';
import { nextReading } from '../domain/next-reading.ts';
import { type ResultPage, type Snapshot, topDepth } from '../domain/snapshot.ts';
import { snapshotTaken } from '../domain/tracking-events.ts';
import type { KeywordMarket, KeywordMarketStore, LatestSnapshot } from '../stores/keyword-market-store.ts';
import type { RankedAppStore } from '../stores/ranked-app-store.ts';
import type { NewSnapshot, SnapshotStore } from '../stores/snapshot-store.ts';
import { missingRecord } from '../tracking-errors.ts';

/** A result page that was read, and its stored keyword market. */
export type PageOfMarket = ResultPage & {
  market: Omit<KeywordMarket, 'latest'>;
  /** The number of `tracked_keywords` rows of the keyword; absent: not counted, and the stored number stays. */
  trackerCount?: number;
  /** Absent: read once. */
  wasReadTwice?: boolean;
  requestId: string;
};

export type SaveResultPages = (
  pages: readonly PageOfMarket[],
) => Promise<PromiseSettledResult<LatestSnapshot>[]>;

/**
 * Saves result pages together: an app on several pages is read and written once, and the pages share one disk sync. The
 * writes are in this order: the apps, the snapshots with their events, the latest snapshots of the keyword markets.
 * After a crash in between, the next page of the keyword completes the writes. The first page of a keyword and day
 * becomes that day's snapshot and is published, also when a snapshot of a later day exists; further pages of the day
 * are dropped, but one with results replaces an empty snapshot and is published with a higher revision. Returns for each page
 * the stored snapshot of its day. A page is rejected alone when an app of its stored snapshot is missing.
 */
export function createSaveResultPages(deps: {
  keywordMarkets: Pick<KeywordMarketStore, 'moveFirstDays' | 'setLatest'>;
  snapshots: SnapshotStore;
  rankedApps: RankedAppStore;
  now: () => Date;
  wakeRelay: WakeRelay;
}): SaveResultPages {
  const { keywordMarkets, snapshots, rankedApps, now, wakeRelay } = deps;

  /** The stored snapshot with its first apps: those of the page, unless an earlier page of that day is stored. */
  async function withTop(
    { market, snapshot, apps }: PageOfMarket,
    stored: Snapshot,
  ): Promise<LatestSnapshot> {
    if (isOfPage(stored, snapshot)) return { ...stored, top: apps.slice(0, topDepth) };
    const appIds = stored.app_ids.slice(0, topDepth);
    const appById = await rankedApps.findMany(market, appIds);
    const ratingsById = new Map(apps.map(({ app_id: appId, ratings }) => [appId, ratings]));
    const top = appIds.map((appId) => ({
      ...(appById.get(appId) ?? missingApp(appId)),
      ratings: ratingsById.get(appId) ?? null,
    }));
    return { ...stored, top };
  }

  return async (pages) => {
    const at = now();
    const today = utcDay(at);
    await rankedApps.save(
      pages.map(({ market, snapshot, apps }) => ({ storefront: market, apps, isPast: snapshot.day < today })),
    );
    const past = pages.filter(({ snapshot }) => snapshot.day < today);
    await keywordMarkets.moveFirstDays(
      past.map(({ market, snapshot }) => ({ id: market._id, day: snapshot.day })),
    );
    const added = pages.map((page) => toNewSnapshot(page, at));
    const stored = await snapshots.saveFirst(added, at);
    wakeRelay(snapshots.model);
    const saved = await Promise.allSettled(
      pages.map((page, index) => withTop(page, stored[index] ?? page.snapshot)),
    );
    const changes = pages.flatMap(({ market: { _id: id }, trackerCount }, index) => {
      const outcome = saved[index];
      if (outcome?.status !== 'fulfilled') return [];
      const latest = outcome.value;
      return [{ id, latest, plannedAt: nextReading(id, latest.day, today), trackerCount }];
    });
    await keywordMarkets.setLatest(changes);
    return saved;
  };
}

function toNewSnapshot({ market, snapshot, requestId, wasReadTwice }: PageOfMarket, at: Date): NewSnapshot {
  const { _id: keywordId, keyword, store, country, lang } = market;
  const key = { keyword_id: keywordId, keyword, storefront: { store, country, lang } };
  return {
    keywordId,
    snapshot,
    toEvent: (saved) => snapshotTaken(key, saved, { at, requestId }, wasReadTwice),
  };
}

/** Whether the stored snapshot is the one that was just read. */
function isOfPage(stored: Snapshot, { app_ids: appIds }: Snapshot): boolean {
  return stored.app_ids === appIds;
}

function missingApp(appId: string): never {
  throw missingRecord(`ranked app ${appId}`);
}
