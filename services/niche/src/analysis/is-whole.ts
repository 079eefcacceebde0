import { neverSuggests } from '@shelfwise/facts/never-suggests';
import type { Storefront } from '@shelfwise/facts/storefront';
import type { ScoredTerm } from '@shelfwise/proto/scoring/v1/scoring';

/**
 * Whether all that the scores of a term are made from was read: its page, the details of the apps on it and what the
 * store suggests. Reckoned without suggestions they are other scores than those of the same term an hour later; only
 * where nobody can ever be told any they are all that there is.
 */
export function isWhole(term: ScoredTerm, storefront: Storefront): boolean {
  const { search_status: searchStatus, difficulty, suggestions_read_at: suggestionsReadAt } = term;
  if (suggestionsReadAt === null && !neverSuggests(storefront)) return false;
  return searchStatus === 'unsearched' || (searchStatus === 'searched' && difficulty != null);
}
