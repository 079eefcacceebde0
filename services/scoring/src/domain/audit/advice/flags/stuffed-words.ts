import { normalizeText } from '@shelfwise/facts/text/normalize-text';
import { segmentsOf } from '@shelfwise/facts/text/segments';
import { isRead } from '../../../keyword/search-status.ts';
import type { WordRow } from '../../axes/word-table.ts';
import { fieldOf, type ReadListing } from '../../read-listing.ts';

/** The maximum share of one word among all words of the description. */
const maxShare = 0.03;
/** Up to this many mentions are fine, even if they exceed `maxShare` of a short text. */
const maxMentions = 3;
/** The maximum number of mentions within `closeUnits`. */
const maxCloseMentions = 5;
/** In UTF-16 units. */
const closeUnits = 300;

/**
 * Words that Google Play's full description repeats more than 5 times within 300 characters, or at least 4 times if they are
 * more than 3 % of its words. Stop words, the developer's own name and the app's own brand are exempt, the brand where the app's name
 * has it: so no flag about a word that is not read yet is taken back. (docs/flags.md)
 */
export function stuffedWords(listing: ReadListing): string[] {
  const field = fieldOf(listing, 'description');
  const { lang } = listing.input.storefront;
  const frequent = (field?.words ?? []).filter(
    (word) =>
      (word.kind === 'content' || word.kind === 'category') &&
      word.occurrences !== null &&
      word.occurrences > maxMentions &&
      !mayBeOwnBrand(listing, word),
  );
  // Segmenting the text is slow, and most descriptions repeat nothing.
  if (frequent.length === 0) return [];
  const words = segmentsOf(normalizeText(field?.readable ?? '', lang), lang);
  return frequent
    .map(({ name }) => name)
    .filter((name) => {
      const starts = words.filter(({ word }) => word === name).map(({ start }) => start);
      return starts.length > maxShare * words.length || areClose(starts);
    });
}

/** Whether the app's name has the word, and it is the app's own brand or not read yet. */
function mayBeOwnBrand(listing: ReadListing, word: WordRow): boolean {
  const isInName = fieldOf(listing, 'title')?.words.some(({ form }) => form === word.form) ?? false;
  return isInName && (!isRead(word) || listing.fitOf(word.name).brandRole === 'own');
}

/** Whether any six consecutive mentions start within 300 characters. */
function areClose(starts: readonly number[]): boolean {
  return starts.some((start, at) => {
    const sixth = starts[at + maxCloseMentions];
    return sixth !== undefined && sixth - start < closeUnits;
  });
}
