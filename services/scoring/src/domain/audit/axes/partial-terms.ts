import type { AuditInput, TermScore } from '../audit-input.ts';

/**
 * The input with terms of partial traffic as pending: their scores change once the store's suggestions are known, so no sum may
 * have them.
 */
export function withPartialPending<Input extends Pick<AuditInput, 'terms' | 'candidates' | 'tracked'>>(
  input: Input,
): Input {
  const { terms, candidates, tracked } = input;
  return {
    ...input,
    terms: new Map([...terms].map(([keyword, term]) => [keyword, asPending(term)])),
    candidates: candidates && withoutPartial(candidates),
    tracked: withoutPartial(tracked),
  };
}

function withoutPartial(terms: ReadonlyMap<string, TermScore | null>): Map<string, TermScore | null> {
  return new Map([...terms].map(([keyword, term]) => [keyword, term && asPending(term)]));
}

/** The term, as pending if its traffic is partial. */
export function asPending(term: TermScore): TermScore {
  return term.is_partial ? { ...term, search_status: 'pending' } : term;
}

/** Whether a term of an audit is pending because its traffic is partial. */
export function waitsForSuggestions(
  term: Pick<TermScore, 'is_partial'> & { searchStatus: TermScore['search_status'] },
): boolean {
  return term.searchStatus === 'pending' && term.is_partial;
}
