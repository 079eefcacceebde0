import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { stopWordsOf } from '@shelfwise/facts/text/stop-words';
import { isRead } from '../../keyword/search-status.ts';
import { companyWords } from '../../text/company-words.ts';
import type { TermScore } from '../audit-input.ts';
import { isSearchable } from './listing-terms.ts';
import type { TermWords } from './term-words.ts';

/**
 * The role of a word in a listing. `function` words (stop words, single letters) are not searched for. The store finds an app
 * by its developer's name (`own-name`) and its `category` anyway. A word of the developer's name whose result page is not read
 * yet is `unsettled`: it will prove to be `own-name` or `content`.
 */
export type WordKind = 'content' | 'function' | 'own-name' | 'category' | 'unsettled';

/**
 * Returns the kind of a word in normal form with its scores (`kindOf`). `isIndexedAnyway`: the store indexes it with the app
 * wherever it is, as a word of the developer's name or of the category.
 *
 * A word of the developer's name is an own name, unless it is common in company names (`games`). Nor is one that people search
 * for and whose term names no brand (`sudoku` for Sudoku Puzzle Games). A category counts only as a single word: `weather` in
 * Weather, but neither `photo` nor `video` in Photo & Video, which are ordinary search terms.
 */
export function createWordKinds(listing: {
  storefront: Pick<Storefront, 'lang'>;
  developer_name: string | null;
  genre: string | null;
  words: Pick<TermWords, 'formOf' | 'wordsIn'>;
}): { kindOf(word: string, term: TermScore | undefined): WordKind; isIndexedAnyway(word: string): boolean } {
  const { lang } = listing.storefront;
  const { formOf, wordsIn } = listing.words;
  const stopWords = stopWordsOf(lang);
  const developerWords = new Set(wordsIn(listing.developer_name ?? ''));
  const ownNames = new Set([...developerWords].filter((word) => !companyWords.has(word)));
  const genreWords = wordsIn(listing.genre ?? '');
  const category = genreWords.length === 1 ? genreWords[0] : null;
  const kindOf = (word: string, term: TermScore | undefined) => {
    if (stopWords.has(word) || !isSearchable(word)) return 'function';
    if (word === category) return 'category';
    return ownNames.has(word) ? ownKind(term) : 'content';
  };
  const indexedForms = new Set([...developerWords, ...(category ? [category] : [])].map(formOf));
  return { kindOf, isIndexedAnyway: (word) => indexedForms.has(formOf(word)) };
}

/** Only a result page can show that a term names no brand. */
function ownKind(term: TermScore | undefined): WordKind {
  if (term === undefined || !isRead({ searchStatus: term.search_status })) return 'unsettled';
  return term.search_status === 'searched' && term.brand === null ? 'content' : 'own-name';
}

/** Whether the word says what the app does, as far as it is known: it is no name, category or stop word. */
export function isContent(kind: WordKind): boolean {
  return kind === 'content' || kind === 'unsettled';
}
