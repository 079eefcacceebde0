import type { Store } from '@shelfwise/facts/stores/store';
import type { StoreSource } from '../source.ts';

/** Reads each storefront from its own store. */
export function createLiveSource(stores: Readonly<Record<Store, StoreSource>>): StoreSource {
  return {
    search: (storefront, term, options) => stores[storefront.store].search(storefront, term, options),
    getListing: (storefront, appId, options) =>
      stores[storefront.store].getListing(storefront, appId, options),
    getListings: (storefront, appIds, options) =>
      stores[storefront.store].getListings(storefront, appIds, options),
    suggest: (storefront, prefix, options) => stores[storefront.store].suggest(storefront, prefix, options),
    chart: (storefront, query, options) => stores[storefront.store].chart(storefront, query, options),
  };
}
