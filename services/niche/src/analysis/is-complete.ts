import { hasNoAutocomplete } from '@shelfwise/facts/stores/has-no-autocomplete';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { ScoredTerm } from '@shelfwise/proto/scoring/v1/scoring';

/**
 * Whether everything that the scores of a term depend on was read: its page, the details of the apps on it and what the
 * store suggests. Computed without suggestions, the scores would differ from those of the same term an hour later. Only
 * in a storefront that never has suggestions they are complete without.
 */
export function isComplete(term: ScoredTerm, storefront: Storefront): boolean {
  if (term.suggestions_read_at === null && !hasNoAutocomplete(storefront)) return false;
  const { search_status: searchStatus, difficulty } = term;
  return searchStatus === 'unsearched' || (searchStatus === 'searched' && difficulty != null);
}
