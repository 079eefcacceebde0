import type { SourceGuard } from '@shelfwise/facts/source-guard';
import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { createSingleflight } from '@shelfwise/runtime/concurrency/singleflight';
import { utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import type { GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import { maxDepth, type ResultPage, toSnapshot } from '../domain/snapshot.ts';
import {
  hasSnapshot,
  type KeywordMarket,
  type KeywordMarketStore,
  type KeywordMarketWithSnapshot,
} from '../stores/keyword-market-store.ts';
import type { SaveResultPages } from './save-result-pages.ts';

/** The time limit of a reading for waiting users, including its wait in store-fetch's queue. */
const readMs = 50_000;
/** The time limit of a reading of the daily run. */
export const dailyReadMs = 45_000;

/** A keyword in normal form, and the id that it gets if it is new in the storefront. */
export type KeywordToRead = { keyword: string; newId: number };

type Call = { requestId: string; signal: AbortSignal };
type TrackedMarket = Omit<KeywordMarket, 'latest'>;

export type TakeSnapshot = ReturnType<typeof createTakeSnapshot>;

/**
 * Takes at most one snapshot per keyword and day, for all accounts. Concurrent users' calls for one keyword share a
 * reading in this process. The daily run does not share it: its requests have a low priority, at which no user must
 * wait. When both request a page, store-fetch merges the two requests into one at the higher priority.
 */
export function createTakeSnapshot(deps: {
  keywordMarkets: KeywordMarketStore;
  saveResultPages: SaveResultPages;
  storeFetch: GrpcClient<typeof StoreFetchServiceService>;
  sourceGuard: SourceGuard;
  now: () => Date;
}) {
  const { keywordMarkets, saveResultPages, storeFetch, sourceGuard, now } = deps;
  const singleflight = createSingleflight<KeywordMarketWithSnapshot>();

  /** Reads a result page and saves nothing. `ms` is the time limit; without `day`, the page is the current one. */
  async function readPage(
    storefront: Storefront,
    term: string,
    { requestId, signal, ms, forDailyRun, day }: Call & { ms: number; forDailyRun: boolean; day?: string },
  ): Promise<ResultPage> {
    const reply = await storeFetch.searchApps(
      {
        storefront,
        term,
        limit: maxDepth,
        for_daily_run: forDailyRun,
        on_day: day,
      },
      { requestId, signal, deadline: new Date(Date.now() + ms) },
    );
    const page = toSnapshot(reply);
    await sourceGuard.admit(page.snapshot.source);
    signal.throwIfAborted();
    return page;
  }

  async function readAndSave(storefront: Storefront, { keyword, newId }: KeywordToRead, call: Call) {
    const page = await readPage(storefront, keyword, { ...call, ms: readMs, forDailyRun: false });
    const { requestId } = call;
    return saveResultPages.add({ ...page, storefront, keyword, market: { newId }, requestId });
  }

  return {
    /**
     * Returns the keyword market with a snapshot of today (UTC): the stored one, or one read from the store now. The
     * snapshot is of the day before when the page was read just before midnight. Writes nothing when the store cannot
     * be read.
     * @throws STORE_FETCH_FAILED, SERVICE_UNAVAILABLE, or the signal's reason
     */
    async ofToday(
      storefront: Storefront,
      toRead: KeywordToRead,
      call: Call,
    ): Promise<KeywordMarketWithSnapshot> {
      const { keyword } = toRead;
      const market = await keywordMarkets.find(storefront, keyword);
      if (market && hasSnapshot(market) && market.latest.day >= utcDay(now())) return market;
      return singleflight.join(`${storefrontKey(storefront)}:${keyword}`, call.signal, (signal) =>
        readAndSave(storefront, toRead, { requestId: call.requestId, signal }),
      );
    },

    /**
     * Reads and saves a keyword that has no snapshot of today, at the low priority of the daily run. Refuses a page
     * that store-fetch read before the UTC day on which this call started. `trackerCount` is stored with the snapshot.
     * @throws STORE_FETCH_FAILED, SERVICE_UNAVAILABLE, or the signal's reason
     */
    async forDailyRun(market: TrackedMarket, trackerCount: number, call: Call): Promise<void> {
      const { _id, keyword, store, country, lang } = market;
      const storefront = { store, country, lang };
      const today = utcDay(now());
      const page = await readPage(storefront, keyword, { ...call, ms: dailyReadMs, forDailyRun: true });
      if (page.snapshot.day < today)
        throw new AppError(
          'STORE_FETCH_FAILED',
          `The result page is from ${page.snapshot.day}, not from today. Try again later.`,
        );
      const { requestId } = call;
      const stored = { _id, keyword, ...storefront };
      await saveResultPages.add({ ...page, storefront, keyword, market: stored, trackerCount, requestId });
    },

    /**
     * Reads and saves a keyword's page of the given day (YYYY-MM-DD, UTC), which only sample data has.
     * @throws STORE_FETCH_FAILED, SERVICE_UNAVAILABLE, INVALID_PARAMS from a live store, or the signal's reason
     */
    async ofDay(day: string, market: TrackedMarket, call: Call): Promise<void> {
      const { _id, keyword, store, country, lang } = market;
      const storefront = { store, country, lang };
      const page = await readPage(storefront, keyword, { ...call, ms: dailyReadMs, forDailyRun: true, day });
      if (page.snapshot.day !== day)
        throw new AppError(
          'STORE_FETCH_FAILED',
          `The result page is from ${page.snapshot.day}, not from ${day}.`,
        );
      const { requestId } = call;
      const stored = { _id, keyword, ...storefront };
      await saveResultPages.add({ ...page, storefront, keyword, market: stored, requestId });
    },
  };
}
