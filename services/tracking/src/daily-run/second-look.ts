import { isSurprisingDrop } from '@shelfwise/facts/alerts/surprising-drop';
import { type Storefront, storefrontKey, storefrontOf } from '@shelfwise/facts/stores/storefront';
import { createBatches } from '@shelfwise/runtime/concurrency/batches';
import { groupBy } from '@shelfwise/runtime/group-by';
import type { ResultPage, Snapshot } from '../domain/snapshot.ts';
import type { ReadResultPage } from '../snapshots/read-result-page.ts';
import type { KeywordMarket } from '../stores/keyword-market-store.ts';
import type { ListingStore } from '../stores/listing-store.ts';
import type { SecondLookStore } from '../stores/second-look-store.ts';
import type { SnapshotStore } from '../stores/snapshot-store.ts';
import type { TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';

/** In a UTC hour, of all stores and copies together: they take calls from the budget of the daily run. */
export const maxLooksPerHour = 50;

const pagesPerQuery = 50;

type Fallen = { storefront: Storefront; appIds: readonly string[] };

/** The snapshot that was stored last. */
export type LatestPage = Pick<Snapshot, 'day' | 'is_suspect'> & { app_ids: readonly string[] };

/** A page that was read, and the one that was stored before; null: there is none. */
type Comparison = {
  market: Omit<KeywordMarket, 'latest'>;
  latest: LatestPage | null;
  page: ResultPage;
};

export type SecondLook = (
  comparison: Comparison,
  call: { requestId: string; signal: AbortSignal },
) => Promise<ResultPage & { wasReadTwice?: boolean }>;

/**
 * Reads a page once more when an app fell by more than 20 places, or left the page, and an account tracks the keyword for that app:
 * the store may have shown a wrong page once. The second page is the one to save, whatever it shows; when a tracked app fell on
 * that page only, it counts as read once. Without a second page (the hour's looks are used up, the reading fails, or it has no
 * results) the first one stays, as read once. An empty page, and one of a suspect storefront, is compared with nothing, so it needs
 * no second look. Nor is one of them the page before: apps fell from the last page before it.
 *
 * Cost: pages on which apps fell share a query for the tracked ones; one with a tracked app costs another query, and a look a write
 * and a call of the store. A page after an empty or suspect one costs a query.
 */
export function createSecondLook(deps: {
  readResultPage: Pick<ReadResultPage, 'forDailyRun'>;
  listings: Pick<ListingStore, 'findInStore'>;
  trackedKeywords: Pick<TrackedKeywordStore, 'isTrackedForAny'>;
  secondLooks: Pick<SecondLookStore, 'take'>;
  snapshots: Pick<SnapshotStore, 'findLastWhole'>;
  now: () => Date;
}): SecondLook {
  const { readResultPage, listings, trackedKeywords, secondLooks, snapshots, now } = deps;

  /** The internal ids of those of the apps that have a listing in their storefront. */
  const findListings = createBatches<Fallen, number[]>({
    maxItems: pagesPerQuery,
    async run(pages) {
      const idOf = new Map<string, number>();
      for (const [key, ofStorefront] of groupBy(pages, ({ storefront }) => storefrontKey(storefront))) {
        const appIds = [...new Set(ofStorefront.flatMap((page) => page.appIds))];
        const [{ storefront } = { storefront: null }] = ofStorefront;
        if (!storefront) continue;
        for (const { _id, app_id } of await listings.findInStore(storefront, appIds))
          idOf.set(`${key} ${app_id}`, _id);
      }
      return pages.map(({ storefront, appIds }) =>
        appIds.flatMap((appId) => idOf.get(`${storefrontKey(storefront)} ${appId}`) ?? []),
      );
    },
  });

  /** The store identifiers of the page with which notify compares; none when there is no such page. */
  async function findBefore({ market, latest }: Comparison): Promise<readonly string[]> {
    if (latest === null) return [];
    if (latest.app_ids.length > 0 && !latest.is_suspect) return latest.app_ids;
    return (await snapshots.findLastWhole(market._id, latest.day)) ?? [];
  }

  async function isAnyTracked(market: Comparison['market'], appIds: readonly string[]): Promise<boolean> {
    if (appIds.length === 0) return false;
    const listingIds = await findListings({ storefront: storefrontOf(market), appIds });
    return listingIds.length > 0 && trackedKeywords.isTrackedForAny(market._id, listingIds);
  }

  /** Null: there is no second page with results of the day. */
  async function readAgain(
    { market, page }: Comparison,
    call: { requestId: string; signal: AbortSignal },
  ): Promise<ResultPage | null> {
    const { day, taken_at: takenAt } = page.snapshot;
    try {
      const again = await readResultPage.forDailyRun(storefrontOf(market), market.keyword, {
        ...call,
        hadResults: true,
        // Later than the first reading, which the cache of the day would repeat.
        freshSince: new Date(takenAt.getTime() + 1),
      });
      return again.snapshot.day === day && again.snapshot.app_ids.length > 0 ? again : null;
    } catch {
      call.signal.throwIfAborted();
      return null;
    }
  }

  return async (comparison, call) => {
    const { market, page } = comparison;
    if (page.snapshot.is_suspect || page.snapshot.app_ids.length === 0) return page;
    const before = await findBefore(comparison);
    const fallen = new Set(findFallen(before, page.snapshot.app_ids));
    if (!(await isAnyTracked(market, [...fallen]))) return page;
    if (!(await secondLooks.take(now(), maxLooksPerHour))) return page;
    const again = await readAgain(comparison, call);
    if (!again) return page;
    const onlyAgain = findFallen(before, again.snapshot.app_ids).filter((appId) => !fallen.has(appId));
    return { ...again, wasReadTwice: !(await isAnyTracked(market, onlyAgain)) };
  };
}

/** The apps that fell surprisingly from one page to the next, which has results. */
function findFallen(before: readonly string[], after: readonly string[]): string[] {
  const rankOf = new Map(after.map((appId, index) => [appId, index + 1]));
  return before.filter((appId, index) =>
    isSurprisingDrop({ before: index + 1, after: rankOf.get(appId) ?? null }),
  );
}
