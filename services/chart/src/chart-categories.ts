import { categories as known } from '@shelfwise/facts/categories';
import type { Store } from '@shelfwise/facts/store';
import type { Category, StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { withinDeadline } from '@shelfwise/runtime/grpc-client';
import type { CallContext, GrpcClient } from '@shelfwise/runtime/grpc-types';

/** The list is waited for so long; what is known of it serves as well, and the chart itself needs time, too. */
const readMs = 8000;
const answerMs = 1000;

export type ChartCategories = ReturnType<typeof createChartCategories>;

/** What charts can be asked for. */
export function createChartCategories(deps: { storeFetch: GrpcClient<typeof StoreFetchServiceService> }) {
  const { storeFetch } = deps;

  async function readKeys(store: Store, call: CallContext): Promise<Set<string> | null> {
    try {
      const { categories } = await storeFetch.listCategories(
        { store },
        withinDeadline(call, readMs, answerMs),
      );
      return new Set(categories.map(({ key }) => key));
    } catch (error) {
      call.signal.throwIfAborted();
      call.log.info({ err: error, store }, 'the list of categories could not be read: the known one serves');
      return null;
    }
  }

  return {
    /**
     * The categories that the store lists now, those of them whose charts can be read, OVERALL first; all that are known
     * when the store's own list cannot be read.
     */
    async list(store: Store, call: CallContext): Promise<Category[]> {
      const all = known[store].map(({ key, label }) => ({ key, label }));
      const listed = await readKeys(store, call);
      const both = all.filter(({ key }) => listed?.has(key));
      return both.length > 0 ? both : all;
    },
  };
}
