import { AppError } from '@shelfwise/runtime/errors';
import type { Storefront, StoreSource } from './source.ts';

/** The stores themselves. This version reads the App Store; asking for Google Play is refused and says so. */
export function createLiveSource(appStore: StoreSource): StoreSource {
  const sourceOf = ({ store }: Storefront): StoreSource => {
    if (store === 'ITUNES') return appStore;
    throw new AppError(
      'STORE_FETCH_FAILED',
      'Google Play cannot be read live by this version of Shelfwise. Use store ITUNES, or STORE_SOURCE=sample.',
    );
  };
  return {
    search: async (storefront, term, options) => sourceOf(storefront).search(storefront, term, options),
    getListing: async (storefront, appId, options) =>
      sourceOf(storefront).getListing(storefront, appId, options),
  };
}
