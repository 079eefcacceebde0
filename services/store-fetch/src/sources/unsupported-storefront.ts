import { hasNoAutocomplete } from '@shelfwise/facts/stores/has-no-autocomplete';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { toQueryPrefix } from './google-play/suggestions.ts';

/**
 * Why a live store cannot complete a prefix, so that its suggestions are unknown without a call: a sentence for a
 * person to read. Null when the store can be called.
 */
export function explainUnsupported(storefront: Storefront, prefix: string): string | null {
  if (hasNoAutocomplete(storefront))
    return `The App Store of ${storefront.country} cannot be called for suggestions: its storefront number is not known.`;
  if (storefront.store === 'GPLAY' && toQueryPrefix(prefix) === '')
    return 'Google Play cannot be called for suggestions to a prefix that consists only of quotation marks and backslashes.';
  return null;
}
