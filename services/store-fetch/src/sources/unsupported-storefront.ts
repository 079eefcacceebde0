import { hasNoAutocomplete } from '@shelfwise/facts/stores/has-no-autocomplete';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { toQueryPrefix } from './google-play/suggestions.ts';

/**
 * Why a live store cannot be asked to complete a prefix, so that its suggestions are unknown without a call: a sentence
 * for a person; null when it can.
 */
export function explainUnsupported(storefront: Storefront, prefix: string): string | null {
  if (hasNoAutocomplete(storefront))
    return `The App Store of ${storefront.country} cannot be asked for suggestions: the number that it goes by is not known.`;
  if (storefront.store === 'GPLAY' && toQueryPrefix(prefix) === '')
    return 'Google Play cannot be asked for suggestions to a prefix of nothing but quotation marks and backslashes.';
  return null;
}
