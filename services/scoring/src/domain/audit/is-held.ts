import { phrasesOf } from '@shelfwise/facts/text/phrases';
import { isSearched, type SearchStatus } from '../keyword/search-status.ts';
import { maxPhraseWords } from './listing-terms.ts';

/** From this rank on, an app holds a term, so that no advice costs it. */
const deepestRank = 30;

type RankedTerm = { name: string; searchStatus: SearchStatus; rank: number | null };

/**
 * The terms of a listing that no flag advises to drop, by normal form: those for which the app ranks 30 or better, and the
 * words and phrases in those of them that people search for.
 */
export function heldTerms(terms: readonly RankedTerm[], lang: string): ReadonlySet<string> {
  const held = new Set<string>();
  for (const { name, searchStatus, rank } of terms) {
    if (rank === null || rank > deepestRank) continue;
    held.add(name);
    if (isSearched({ searchStatus }))
      for (const part of phrasesOf(name, lang, maxPhraseWords)) held.add(part);
  }
  return held;
}
