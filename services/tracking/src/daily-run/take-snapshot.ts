import { storefrontOf } from '@shelfwise/facts/stores/storefront';
import { utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import type { ReadResultPage } from '../snapshots/read-result-page.ts';
import type { KeywordMarket } from '../stores/keyword-market-store.ts';
import type { PageBatches } from './page-batches.ts';
import type { LatestPage, SecondLook } from './second-look.ts';

type Call = { requestId: string; signal: AbortSignal };
type TrackedMarket = Omit<KeywordMarket, 'latest'>;
/** The page that was read last (null: there is none), and the number to store with the snapshot. */
type Known = { latest: LatestPage | null; trackerCount: number };

export type TakeSnapshot = ReturnType<typeof createTakeSnapshot>;

/** Reads the result page of a tracked keyword at the low priority of the daily run, and saves it in a batch. */
export function createTakeSnapshot(deps: {
  readResultPage: Pick<ReadResultPage, 'forDailyRun'>;
  pageBatches: Pick<PageBatches, 'add'>;
  secondLook: SecondLook;
  now: () => Date;
}) {
  const { readResultPage, pageBatches, secondLook, now } = deps;
  return {
    /**
     * Takes the snapshot of a keyword that has none of today, perhaps with a second look. Refuses a page of an earlier UTC day.
     * @throws STORE_FETCH_FAILED, SERVICE_UNAVAILABLE, or the signal's reason
     */
    async forDailyRun(market: TrackedMarket, { latest, trackerCount }: Known, call: Call): Promise<void> {
      const today = utcDay(now());
      const options = { ...call, hadResults: latest && latest.app_ids.length > 0 };
      const page = await readResultPage.forDailyRun(storefrontOf(market), market.keyword, options);
      if (page.snapshot.day < today)
        throw new AppError(
          'STORE_FETCH_FAILED',
          `The result page is from ${page.snapshot.day}, not from today. Try again later.`,
        );
      const looked = await secondLook({ market, latest, page }, call);
      await pageBatches.add({ ...looked, market, trackerCount, requestId: call.requestId });
    },

    /**
     * Takes the snapshot of the given day (YYYY-MM-DD, UTC), which only sample data has.
     * @throws STORE_FETCH_FAILED, SERVICE_UNAVAILABLE, INVALID_PARAMS from a live store, or the signal's reason
     */
    async ofDay(day: string, market: TrackedMarket, call: Call): Promise<void> {
      const page = await readResultPage.forDailyRun(storefrontOf(market), market.keyword, {
        ...call,
        day,
        hadResults: null,
      });
      if (page.snapshot.day !== day)
        throw new AppError(
          'STORE_FETCH_FAILED',
          `The result page is from ${page.snapshot.day}, not from ${day}.`,
        );
      await pageBatches.add({ ...page, market, requestId: call.requestId });
    },
  };
}
