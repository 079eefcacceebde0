import { neverSuggests } from '@shelfwise/facts/never-suggests';
import type { Storefront } from '@shelfwise/facts/storefront';
import { toAskedPrefix } from './google-play/suggestions.ts';

/**
 * Why a live store is never asked to complete a prefix, which makes its suggestions unknown without a call: a sentence
 * for a person; null when it is asked.
 */
export function unaskable(storefront: Storefront, prefix: string): string | null {
  if (neverSuggests(storefront))
    return `The App Store of ${storefront.country} cannot be asked for suggestions: the number that it goes by is not known.`;
  if (storefront.store === 'GPLAY' && toAskedPrefix(prefix) === '')
    return 'Google Play cannot be asked for suggestions to a prefix of nothing but quotation marks and backslashes.';
  return null;
}
