import type { ListingFieldKey } from '@shelfwise/facts/stores/listing-fields';
import type { WordRow } from '../../axes/word-table.ts';
import { fieldOf, type ReadListing } from '../../read-listing.ts';

/**
 * The words of a field, without stop words, and those of them that an earlier field has, searched or not. A word in
 * another spelling (`games` after `game`) for which the app ranks 30 or better is no repeat: without it the rank might go.
 */
export function repeatedWords(
  listing: ReadListing,
  key: ListingFieldKey,
): { words: WordRow[]; repeated: WordRow[] } {
  const words = (fieldOf(listing, key)?.words ?? []).filter(
    ({ kind, isIndexedAnyway }) => kind !== 'function' && !isIndexedAnyway,
  );
  const earlier = new Set(
    listing.fields
      .slice(
        0,
        listing.fields.findIndex((field) => field.key === key),
      )
      .flatMap((field) => field.words.map(({ name }) => name)),
  );
  const repeated = words.filter(
    (word) =>
      word.status === 'already-used' && (earlier.has(word.name) || !listing.protectedTerms.has(word.name)),
  );
  return { words, repeated };
}
