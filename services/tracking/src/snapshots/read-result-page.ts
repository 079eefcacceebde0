import type { SourceGuard } from '@shelfwise/facts/source-guard';
import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { createSingleflight } from '@shelfwise/runtime/concurrency/singleflight';
import { utcDay } from '@shelfwise/runtime/day';
import type { CallContext, GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import { maxDepth, type ResultPage, toSnapshot } from '../domain/snapshot.ts';

/** The time limit of a reading for waiting users, including its wait in store-fetch's queue. */
const readMs = 50_000;
/** The time limit of a reading of the daily run. */
export const dailyReadMs = 45_000;

type Call = Pick<CallContext, 'requestId' | 'callerId' | 'signal'>;

/** `hadResults`: whether the latest snapshot has results; null: there is none, or it is not known. */
type Known = { hadResults: boolean | null };

export type ReadResultPage = ReturnType<typeof createReadResultPage>;

/** Reads result pages from the store and saves nothing. */
export function createReadResultPage(deps: {
  storeFetch: GrpcClient<typeof StoreFetchServiceService>;
  sourceGuard: SourceGuard;
  now: () => Date;
}) {
  const { storeFetch, sourceGuard, now } = deps;
  const singleflight = createSingleflight<ResultPage>();

  async function read(
    storefront: Storefront,
    term: string,
    {
      requestId,
      callerId,
      signal,
      ms,
      forDailyRun,
      day,
      freshSince,
      hadResults,
    }: Call & Known & { ms: number; forDailyRun: boolean; day?: string; freshSince?: Date },
  ): Promise<ResultPage> {
    const reply = await storeFetch.searchApps(
      {
        storefront,
        term,
        limit: maxDepth,
        for_daily_run: forDailyRun,
        on_day: day,
        had_results: hadResults ?? undefined,
        fresh_since: freshSince,
      },
      { requestId, callerId, signal, deadline: new Date(Date.now() + ms) },
    );
    const page = toSnapshot(reply);
    await sourceGuard.admit(page.snapshot.source);
    signal.throwIfAborted();
    return page;
  }

  return {
    /**
     * The current page, for a waiting user. Concurrent calls of one caller for one keyword share a reading in this
     * process, but not one that started on an earlier day (UTC), because its page may be of that day. Other callers'
     * calls may wait longer for their turn; store-fetch merges equal ones.
     * @throws STORE_FETCH_FAILED, SERVICE_UNAVAILABLE, or the signal's reason
     */
    forUser: (
      storefront: Storefront,
      keyword: string,
      { requestId, callerId, signal, hadResults }: Call & Known,
    ): Promise<ResultPage> =>
      singleflight.join(
        JSON.stringify([utcDay(now()), callerId, storefrontKey(storefront), keyword]),
        signal,
        (shared) =>
          read(storefront, keyword, {
            requestId,
            callerId,
            signal: shared,
            ms: readMs,
            forDailyRun: false,
            hadResults,
          }),
      ),

    /**
     * The current page, or the page of `day` (YYYY-MM-DD, UTC), at the low priority of the daily run; with `freshSince` none that
     * was read before. No user shares
     * this reading, because no user must wait at that priority. When both request a page, store-fetch merges the two
     * requests into one at the higher priority.
     * @throws STORE_FETCH_FAILED, SERVICE_UNAVAILABLE, INVALID_PARAMS for a `day` from a live store, or the signal's
     * reason
     */
    forDailyRun: (
      storefront: Storefront,
      keyword: string,
      call: Call & Known & { day?: string; freshSince?: Date },
    ): Promise<ResultPage> => read(storefront, keyword, { ...call, ms: dailyReadMs, forDailyRun: true }),
  };
}
