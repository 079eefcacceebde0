import { AppError } from '@shelfwise/runtime/errors';
import type { Reading, StoreSource } from '../source.ts';
import { createSampleCatalogue } from './catalogue.ts';

/** The built-in fictional store behind the port of the real ones; it answers at once and never fails. */
export function createSampleSource({ now }: { now: () => Date }): StoreSource {
  const catalogue = createSampleCatalogue({ now });
  const reading = (): Reading => ({ readAt: now(), source: 'sample' });
  return {
    search: async (storefront, term, { limit, signal }) => {
      refuseWhenAborted(signal);
      return { ...reading(), apps: catalogue.search(storefront, term, limit) };
    },
    getListing: async (storefront, appId, { signal }) => {
      refuseWhenAborted(signal);
      return { ...reading(), listing: catalogue.listing(storefront, appId) };
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
