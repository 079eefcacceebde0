import type { Store } from '@shelfwise/facts/store';
import { invalidParams } from '@shelfwise/runtime/errors';
import type { StoreSource } from './source.ts';

/** The stores themselves, each for its own storefronts. */
export function createLiveSource(stores: Readonly<Record<Store, StoreSource>>): StoreSource {
  return {
    async search(storefront, term, options) {
      if (options.onDay !== null)
        throw invalidParams({ on_day: 'is for the sample only: a live store shows its own day' });
      return stores[storefront.store].search(storefront, term, options);
    },
    getListing: (storefront, appId, options) =>
      stores[storefront.store].getListing(storefront, appId, options),
    getListings: (storefront, appIds, options) =>
      stores[storefront.store].getListings(storefront, appIds, options),
    suggest: (storefront, prefix, options) => stores[storefront.store].suggest(storefront, prefix, options),
    chart: (storefront, wanted, options) => stores[storefront.store].chart(storefront, wanted, options),
    categories: (store, options) => stores[store].categories(store, options),
  };
}
