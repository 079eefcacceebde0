import type { ReadOptions, StoreSource } from '../source.ts';

/** The same source, whose reads reject with the signal's reason once it has aborted. */
export function rejectWhenAborted(source: StoreSource): StoreSource {
  return {
    search: (storefront, term, options) =>
      unlessAborted(options, () => source.search(storefront, term, options)),
    getListing: (storefront, appId, options) =>
      unlessAborted(options, () => source.getListing(storefront, appId, options)),
    getListings: (storefront, appIds, options) =>
      unlessAborted(options, () => source.getListings(storefront, appIds, options)),
    suggest: (storefront, prefix, options) =>
      unlessAborted(options, () => source.suggest(storefront, prefix, options)),
    chart: (storefront, query, options) =>
      unlessAborted(options, () => source.chart(storefront, query, options)),
  };
}

/** A late answer is dropped: in a list of listings each one may be an abort. */
async function unlessAborted<Answer>({ signal }: ReadOptions, read: () => Promise<Answer>): Promise<Answer> {
  signal.throwIfAborted();
  try {
    return await read();
  } finally {
    signal.throwIfAborted();
  }
}
