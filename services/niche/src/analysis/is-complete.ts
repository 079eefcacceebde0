import { hasNoAutocomplete } from '@shelfwise/facts/stores/has-no-autocomplete';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { ScoredTerm } from '@shelfwise/proto/scoring/v1/scoring';

/**
 * Whether everything that a term's scores depend on was read: the result page, the details of its apps and the
 * store's suggestions. Scores computed without suggestions would change an hour later, once the suggestions are read.
 * Only a storefront that never has suggestions needs none.
 */
export function isComplete(term: ScoredTerm, storefront: Storefront): boolean {
  if (term.suggestions_read_at === null && !hasNoAutocomplete(storefront)) return false;
  const { search_status: searchStatus, kei } = term;
  return searchStatus === 'unsearched' || (searchStatus === 'searched' && kei != null);
}
