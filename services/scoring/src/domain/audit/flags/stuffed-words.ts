import { normalizeText } from '@shelfwise/facts/text/normalize-text';
import { segmentsOf } from '@shelfwise/facts/text/segments';
import { fieldOf, type ReadListing } from '../read-listing.ts';

/** The maximum share of one word among all words of the description. */
const maxShare = 0.03;
/** Up to this many mentions are fine, even if they exceed `maxShare` of a short text. */
const maxMentions = 3;
/** The maximum number of mentions within `closeUnits`. */
const maxCloseMentions = 5;
/** In UTF-16 units. */
const closeUnits = 300;

/**
 * Words that Google Play's full description repeats too often: more than 5 times within 300 characters, or at least 4
 * times in all and more than 3 % of all its words. Stop words and the developer's own name are exempt.
 * (docs/flags.md)
 */
export function stuffedWords(listing: ReadListing): string[] {
  const field = fieldOf(listing, 'description');
  const { lang } = listing.input.storefront;
  const frequent = (field?.words ?? []).filter(
    ({ kind, occurrences }) =>
      (kind === 'content' || kind === 'category') && occurrences !== null && occurrences > maxMentions,
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

/** Whether any six consecutive mentions start within 300 characters. */
function areClose(starts: readonly number[]): boolean {
  return starts.some((start, at) => {
    const sixth = starts[at + maxCloseMentions];
    return sixth !== undefined && sixth - start < closeUnits;
  });
}
