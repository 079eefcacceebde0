import { isUnspaced } from '@shelfwise/facts/text/scripts';
import { isSearched } from '../keyword/search-status.ts';
import { isAimed } from './audit-field.ts';
import type { ReadListing } from './read-listing.ts';
import { isContent } from './word-kind.ts';
import type { WordRow } from './word-table.ts';

type Aiming = Pick<ReadListing, 'fields' | 'aimed'>;

/**
 * The words of name, subtitle and keywords field that could earn if people searched for them, each once, without scraps
 * that nobody types.
 */
export function aimedWords(listing: Aiming): WordRow[] {
  const isScrap = createScraps(listing, isSearched);
  const rows = new Map<string, WordRow>();
  for (const row of listing.fields.filter(isAimed).flatMap(({ words }) => words)) {
    const isIdle = row.searchStatus === 'unsearched' && isScrap(row.name);
    if (isContent(row.kind) && !isIdle && !rows.has(row.name)) rows.set(row.name, row);
  }
  return [...rows.values()];
}

/**
 * Those of them that nobody types. Stop words, the developer's name and the category are not counted against a listing,
 * nor what a phrase that is still pending may prove to be a scrap.
 */
export function unsearchedWords(listing: Aiming): string[] {
  const mayBeScrap = createScraps(listing, ({ searchStatus }) => searchStatus !== 'unsearched');
  return aimedWords(listing)
    .filter(({ name, searchStatus }) => searchStatus === 'unsearched' && !mayBeScrap(name))
    .map(({ name }) => name);
}

/**
 * Whether a word is a scrap that only the dictionary has cut off, as 簿 of 家計簿: in a script without blanks, and a single
 * character or part of a term that counts.
 */
function createScraps(
  { aimed }: Pick<Aiming, 'aimed'>,
  counts: (term: Aiming['aimed'][number]) => boolean,
): (word: string) => boolean {
  const terms = aimed.filter(counts).map(({ name }) => name);
  return (word) => {
    const characters = [...word];
    if (!characters.every(isBlankless)) return false;
    return characters.length === 1 || terms.some((term) => term !== word && term.includes(word));
  };
}

/** Korean has blanks between its words, though its endings stick to them. */
function isBlankless(character: string): boolean {
  return isUnspaced(character) && !/\p{Script=Hangul}/u.test(character);
}
