import { isUnspaced } from '@shelfwise/facts/text/scripts';
import { isSearched } from '../../keyword/search-status.ts';
import { isAimed } from '../audit-field.ts';
import type { WordRow } from '../axes/word-table.ts';
import type { ReadListing } from '../read-listing.ts';
import { isContent } from '../words/word-kind.ts';

type Aiming = Pick<ReadListing, 'fields' | 'aimed'>;

/**
 * The words of the name, subtitle and keywords field that could earn if people searched for them, each once, without
 * unsearched fragments.
 */
export function aimedWords(listing: Aiming): WordRow[] {
  const isFragment = createIsFragment(listing, isSearched);
  const rows = new Map<string, WordRow>();
  for (const row of listing.fields.filter(isAimed).flatMap(({ words }) => words)) {
    const isIdle = row.searchStatus === 'unsearched' && isFragment(row.name);
    if (isContent(row.kind) && !isIdle && !rows.has(row.name)) rows.set(row.name, row);
  }
  return [...rows.values()];
}

/**
 * The `aimedWords` that people do not search for. Stop words, the developer's name, the category and possible fragments of a
 * pending phrase do not count against a listing.
 */
export function unsearchedWords(listing: Aiming): string[] {
  const mayBeFragment = createIsFragment(listing, ({ searchStatus }) => searchStatus !== 'unsearched');
  return aimedWords(listing)
    .filter(({ name, searchStatus }) => searchStatus === 'unsearched' && !mayBeFragment(name))
    .map(({ name }) => name);
}

/**
 * Returns whether a word is a fragment that only the dictionary has split off, such as 簿 from 家計簿. Its script has no spaces,
 * and it is a single character or part of a term that counts.
 */
function createIsFragment(
  { aimed }: Pick<Aiming, 'aimed'>,
  counts: (term: Aiming['aimed'][number]) => boolean,
): (word: string) => boolean {
  const terms = aimed.filter(counts).map(({ name }) => name);
  return (word) => {
    const characters = [...word];
    if (!characters.every(hasNoSpaces)) return false;
    return characters.length === 1 || terms.some((term) => term !== word && term.includes(word));
  };
}

/** Korean separates words with spaces, though endings stick to them. */
function hasNoSpaces(character: string): boolean {
  return isUnspaced(character) && !/\p{Script=Hangul}/u.test(character);
}
