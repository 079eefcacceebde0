import type { SourceGuard } from '@shelfwise/facts/source-guard';
import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { createSingleflight } from '@shelfwise/runtime/concurrency/singleflight';
import { utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import type { GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import { maxDepth, type ResultPage, toSnapshot } from './domain/snapshot.ts';
import { isRanked, type PageWriter, type RankedMarket } from './page-writer.ts';
import type { Market, MarketStore } from './stores/market-store.ts';

/** One reading of a store that somebody waits for, his turn included; whoever waits may give up earlier. */
const readMs = 50_000;
/** One reading of the daily run. */
export const dailyReadMs = 45_000;

/** The keyword of a market, and the id that the market gets when it is new. */
export type WantedMarket = { keyword: string; newId: number };

type Call = { requestId: string; signal: AbortSignal };

export type SnapshotTaker = ReturnType<typeof createSnapshotTaker>;

/**
 * Takes at most one snapshot per market and day, however many accounts ask for it. Callers that want one market at the
 * same time share one reading. The daily run reads for itself: whoever waits for a page must not be held up by its
 * place behind all others, and store-fetch makes one reading of two equal ones, as urgent as the more urgent of them.
 */
export function createSnapshotTaker(deps: {
  markets: MarketStore;
  pageWriter: PageWriter;
  storeFetch: GrpcClient<typeof StoreFetchServiceService>;
  sourceGuard: SourceGuard;
  now: () => Date;
}) {
  const { markets, pageWriter, storeFetch, sourceGuard, now } = deps;
  const flights = createSingleflight<RankedMarket>();

  async function readPage(
    storefront: Storefront,
    term: string,
    { ms, day, ...call }: Call & { ms: number; forDailyRun: boolean; day?: string },
  ): Promise<ResultPage> {
    const { requestId, signal } = call;
    const reply = await storeFetch.searchApps(
      {
        storefront,
        term,
        limit: maxDepth,
        for_daily_run: call.forDailyRun,
        ...(day !== undefined && { on_day: day }),
      },
      { requestId, signal, deadline: new Date(Date.now() + ms) },
    );
    const page = toSnapshot(reply);
    await sourceGuard.admit(page.snapshot.source);
    signal.throwIfAborted();
    return page;
  }

  async function take(storefront: Storefront, { keyword, newId }: WantedMarket, call: Call) {
    const page = await readPage(storefront, keyword, { ...call, ms: readMs, forDailyRun: false });
    const { requestId } = call;
    return pageWriter.write({ ...page, storefront, keyword, market: { newId }, requestId });
  }

  return {
    /**
     * The market with a snapshot of today: the one that is there, or one read from the store now. Waits until
     * `call.signal` fires. Nothing is written when the store cannot be read.
     * @throws STORE_FETCH_FAILED, SERVICE_UNAVAILABLE, or the signal's reason
     */
    async takeToday(storefront: Storefront, wanted: WantedMarket, call: Call): Promise<RankedMarket> {
      const { keyword } = wanted;
      const market = await markets.find(storefront, keyword);
      if (market && isRanked(market) && market.latest.day >= utcDay(now())) return market;
      return flights.join(`${storefrontKey(storefront)}:${keyword}`, call.signal, (signal) =>
        take(storefront, wanted, { requestId: call.requestId, signal }),
      );
    },

    /**
     * Reads a market that has no snapshot of today, at its turn behind everybody who waits. A page from before the day
     * on which the reading began is nobody's snapshot.
     * @throws STORE_FETCH_FAILED, SERVICE_UNAVAILABLE, or the signal's reason
     */
    async takeInTurn(market: Omit<Market, 'latest'>, watchers: number, call: Call): Promise<void> {
      const { _id, keyword, store, country, lang } = market;
      const storefront = { store, country, lang };
      const today = utcDay(now());
      const page = await readPage(storefront, keyword, { ...call, ms: dailyReadMs, forDailyRun: true });
      if (page.snapshot.day < today)
        throw new AppError(
          'STORE_FETCH_FAILED',
          `The result page is of ${page.snapshot.day}. Try again later.`,
        );
      const { requestId } = call;
      await pageWriter.write({
        ...page,
        storefront,
        keyword,
        market: { _id, keyword, ...storefront },
        watchers,
        requestId,
      });
    },

    /**
     * Reads a market as it is on a day, which only the sample can show.
     * @throws STORE_FETCH_FAILED, SERVICE_UNAVAILABLE, INVALID_PARAMS from a live store, or the signal's reason
     */
    async takeOf(day: string, market: Omit<Market, 'latest'>, call: Call): Promise<void> {
      const { _id, keyword, store, country, lang } = market;
      const storefront = { store, country, lang };
      const page = await readPage(storefront, keyword, { ...call, ms: dailyReadMs, forDailyRun: true, day });
      if (page.snapshot.day !== day)
        throw new AppError(
          'STORE_FETCH_FAILED',
          `The result page is of ${page.snapshot.day}, not of ${day}.`,
        );
      const { requestId } = call;
      await pageWriter.write({
        ...page,
        storefront,
        keyword,
        market: { _id, keyword, ...storefront },
        requestId,
      });
    },
  };
}
