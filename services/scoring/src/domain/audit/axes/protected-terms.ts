import { isSearched } from '../../keyword/search-status.ts';
import type { TextReader } from '../words/text-reader.ts';
import type { AimedTerm } from './aimed-terms.ts';

/** The worst rank at which no advice costs an app a term. */
const deepestRank = 30;

type RankedTerm = Pick<AimedTerm, 'name' | 'searchStatus' | 'rank' | 'words'>;

/**
 * The terms of a listing that no flag advises to drop, by normal form: those for which the app ranks 30 or better. If people
 * search for one, its words and phrases are protected, too.
 */
export function protectedTerms(
  terms: readonly RankedTerm[],
  { phrasesIn }: Pick<TextReader, 'phrasesIn'>,
): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { name, searchStatus, rank, words } of terms) {
    if (rank === null || rank > deepestRank) continue;
    found.add(name);
    if (words.length > 1 && isSearched({ searchStatus })) for (const part of phrasesIn(name)) found.add(part);
  }
  return found;
}
