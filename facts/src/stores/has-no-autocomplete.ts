import type { Storefront } from './storefront.ts';
import { appStoreStorefrontId } from './storefront-ids.ts';

/**
 * Whether a live store cannot be asked what it suggests, so that no term of the storefront has suggestions, today or
 * tomorrow: the App Store in the countries whose number is not known. (The sample answers there, too.)
 */
export function hasNoAutocomplete({ store, country }: Pick<Storefront, 'store' | 'country'>): boolean {
  return store === 'ITUNES' && appStoreStorefrontId(country) === null;
}
