import type { Storefront } from './storefront.ts';
import { appStoreStorefrontId } from './storefront-ids.ts';

/**
 * Whether the live store offers no autocomplete for a storefront, so that its terms never have suggestions. This is
 * the App Store in countries without a known storefront id. The sample catalog answers there, too.
 */
export function hasNoAutocomplete({ store, country }: Pick<Storefront, 'store' | 'country'>): boolean {
  return store === 'ITUNES' && appStoreStorefrontId(country) === null;
}
