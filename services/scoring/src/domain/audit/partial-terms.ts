import { hasNoAutocomplete } from '@shelfwise/facts/stores/has-no-autocomplete';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { isPartial, type TrafficScore } from '../keyword/is-partial.ts';
import type { AuditInput, TermScore } from './audit-input.ts';

type AuditTerms = Pick<AuditInput, 'storefront' | 'terms' | 'candidates' | 'tracked'>;

/**
 * The input with terms of partial traffic as pending: their scores change once the store's suggestions are known, so no sum may
 * have them. Where a store never has suggestions, traffic is as complete as it can be.
 */
export function withPartialPending<Input extends AuditTerms>(input: Input): Input {
  const { storefront, terms, candidates, tracked } = input;
  if (hasNoAutocomplete(storefront)) return input;
  return {
    ...input,
    terms: new Map([...terms].map(([keyword, term]) => [keyword, asPending(term)])),
    candidates: candidates && withoutPartial(candidates),
    tracked: tracked && withoutPartial(tracked),
  };
}

function withoutPartial(terms: ReadonlyMap<string, TermScore | null>): Map<string, TermScore | null> {
  return new Map([...terms].map(([keyword, term]) => [keyword, term && asPending(term)]));
}

function asPending(term: TermScore): TermScore {
  return isPartial(term) ? { ...term, search_status: 'pending' } : term;
}

/** Whether the traffic of a scored term is partial and will be complete some day. */
export function willBeComplete(storefront: Storefront, term: TrafficScore): boolean {
  return isPartial(term) && !hasNoAutocomplete(storefront);
}

/** Whether a term of an audit is pending because its traffic is partial. */
export function waitsForSuggestions(
  term: Pick<TermScore, 'traffic' | 'traffic_parts'> & { searchStatus: TermScore['search_status'] },
): boolean {
  return term.searchStatus === 'pending' && isPartial(term);
}
