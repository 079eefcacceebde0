import { normalizeText } from '@shelfwise/facts/text/normalize-text';
import { segmentsOf } from '@shelfwise/facts/text/segments';
import { fieldOf, type ReadListing } from '../read-listing.ts';

/** The maximum share of one word in a text. */
const maxShare = 0.03;
/** Up to this many mentions are harmless, though they exceed the share in a short text. */
const maxMentions = 3;
const maxClose = 5;
/** UTF-16 units */
const closeWithin = 300;

/**
 * Words that the long description repeats too often: more than 5 times within 300 characters, or at least 4 times in
 * all and more than 3 % of all its words. Stop words and the developer's own name are exempt. (docs/scores.md, flags)
 */
export function stuffedWords(listing: ReadListing): string[] {
  const field = fieldOf(listing, 'description');
  const { lang } = listing.input.storefront;
  const often = (field?.words ?? []).filter(
    ({ kind, occurrences }) =>
      (kind === 'content' || kind === 'category') && occurrences !== null && occurrences > maxMentions,
  );
  // Segmenting the text is slow, and most descriptions repeat nothing.
  if (often.length === 0) return [];
  const words = segmentsOf(normalizeText(field?.readable ?? '', lang), lang);
  return often
    .map(({ name }) => name)
    .filter((name) => {
      const starts = words.filter(({ word }) => word === name).map(({ start }) => start);
      return starts.length > maxShare * words.length || areClose(starts);
    });
}

/** Whether any six consecutive mentions start within 300 characters. */
function areClose(starts: readonly number[]): boolean {
  return starts.some((start, at) => {
    const sixth = starts[at + maxClose];
    return sixth !== undefined && sixth - start < closeWithin;
  });
}
