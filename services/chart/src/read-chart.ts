import { collectionMessages } from '@shelfwise/facts/checks/check-collection';
import type { SourceGuard } from '@shelfwise/facts/source-guard';
import type { ChartKey } from '@shelfwise/facts/stores/chart-key';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import type { CallContext, GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import { type ChartSnapshot, maxDepth, toChartSnapshot } from './domain/chart-snapshot.ts';

export type StoreFetchClient = Pick<GrpcClient<typeof StoreFetchServiceService>, 'getChart'>;

/** Time limit of one read in the daily run. */
export const dailyReadMs = 45_000;
/** Titles are in English. A chart exists once per country, because its ranks are the same in every language. */
const lang = 'en-US';

export type ReadChart = ReturnType<typeof createReadChart>;

export type ReadOptions = Pick<CallContext, 'requestId' | 'callerId' | 'signal'> & {
  ms: number;
  isForDailyRun: boolean;
};

/** Reads a chart from the store and saves nothing. */
export function createReadChart({
  storeFetch,
  sourceGuard,
}: {
  storeFetch: StoreFetchClient;
  sourceGuard: SourceGuard;
}) {
  /**
   * @param day a past UTC day, on the sample only; default: today
   * @throws STORE_FETCH_FAILED, SERVICE_UNAVAILABLE, or the signal's reason
   */
  return async (
    { store, country, category, collection }: ChartKey,
    { requestId, callerId, signal, ms, isForDailyRun }: ReadOptions,
    day?: string,
  ): Promise<ChartSnapshot> => {
    const reply = await storeFetch.getChart(
      {
        storefront: { store, country, lang },
        category,
        collection: collectionMessages[collection],
        limit: maxDepth,
        for_daily_run: isForDailyRun,
        on_day: day,
      },
      { requestId, callerId, signal, deadline: new Date(Date.now() + ms) },
    );
    const snapshot = toChartSnapshot(reply);
    await sourceGuard.admit(snapshot.source);
    signal.throwIfAborted();
    return snapshot;
  };
}
