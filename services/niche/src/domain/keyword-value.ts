import type { NicheTerm } from './niche-term.ts';

type ValuedTerm = Pick<NicheTerm, 'kei' | 'isNavigational' | 'isSearched'>;

/**
 * The value o of a keyword for a new app, 0 to 100: its KEI, as scoring computes it. A brand and a term that
 * people do not search for are worth 0. (docs/scores.md, niches)
 */
export function keywordValue({ kei, isNavigational, isSearched }: ValuedTerm): number {
  return isNavigational || !isSearched ? 0 : kei;
}

/** The term with the highest value, of equals the first; null when none is worth anything. */
export function bestKeyword<Term extends ValuedTerm>(terms: readonly Term[]): Term | null {
  return terms.reduce<Term | null>(
    (best, term) => (keywordValue(term) > (best === null ? 0 : keywordValue(best)) ? term : best),
    null,
  );
}
