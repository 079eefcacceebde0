import type { ReadOptions, StoreSource } from './source.ts';

/** A source as it is, whose readings reject with the signal's own reason once that has fired. */
export function rejectWhenGivenUp(source: StoreSource): StoreSource {
  return {
    search: (storefront, term, options) =>
      whileWanted(options, () => source.search(storefront, term, options)),
    getListing: (storefront, appId, options) =>
      whileWanted(options, () => source.getListing(storefront, appId, options)),
    getListings: (storefront, appIds, options) =>
      whileWanted(options, () => source.getListings(storefront, appIds, options)),
    suggest: (storefront, prefix, options) =>
      whileWanted(options, () => source.suggest(storefront, prefix, options)),
    chart: (storefront, wanted, options) =>
      whileWanted(options, () => source.chart(storefront, wanted, options)),
  };
}

/** An answer that comes all the same is let go: of several listings it may be that each was given up. */
async function whileWanted<Answer>({ signal }: ReadOptions, read: () => Promise<Answer>): Promise<Answer> {
  signal.throwIfAborted();
  try {
    return await read();
  } finally {
    signal.throwIfAborted();
  }
}
