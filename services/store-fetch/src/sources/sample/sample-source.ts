import { AppError } from '@shelfwise/runtime/errors';
import type { StoreSource } from '../source.ts';
import { createSampleCatalogue } from './catalogue.ts';

/** The built-in fictional store behind the port of the real ones; it answers at once and never fails. */
export function createSampleSource({ now }: { now: () => Date }): StoreSource {
  // One look at the clock per call: at midnight, too, an answer is that of the day that its `readAt` names.
  let readAt = now();
  const catalogue = createSampleCatalogue({ now: () => readAt });
  const begin = (signal: AbortSignal) => {
    refuseWhenAborted(signal);
    readAt = now();
    return { readAt, source: 'sample' } as const;
  };
  return {
    search: async (storefront, term, { limit, signal }) => {
      const reading = begin(signal);
      return { ...reading, apps: catalogue.search(storefront, term, limit) };
    },
    getListing: async (storefront, appId, { signal }) => {
      const reading = begin(signal);
      return { ...reading, listing: catalogue.listing(storefront, appId) };
    },
  };
}

function refuseWhenAborted(signal: AbortSignal): void {
  if (signal.aborted) {
    throw new AppError('STORE_FETCH_FAILED', 'The request ended before the store was read', {
      cause: signal.reason,
    });
  }
}
