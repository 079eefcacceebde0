import { countUnits } from '@shelfwise/facts/stores/listing-fields';
import { isSearched } from '../../../keyword/search-status.ts';
import type { WordRow } from '../../axes/word-table.ts';
import { fieldOf, type ReadListing } from '../../read-listing.ts';
import type { FlagRule } from './flag-rule.ts';

/** Below this share of the limit the name counts as underused. */
const usedShare = 0.6;

export const titleFlags: readonly FlagRule[] = [
  {
    code: 'TITLE_EMPTY',
    severity: 'critical',
    title: 'The app has no name',
    impact: 'The name counts more in search than any other text, and no store accepts a listing without one.',
    fix: 'Name the app: the brand, then the two or three words that people search for most.',
    findEvidence: (listing) => (title(listing)?.state === 'empty' ? {} : null),
  },
  {
    code: 'TITLE_NO_SEARCHED_WORD',
    severity: 'critical',
    title: 'No word or phrase of the name is searched for',
    impact: 'The text that counts most in search brings only people who already know the app.',
    fix: 'Put the most searched word that describes the app after the brand.',
    asksForWords: 'title',
    findEvidence: (listing) => {
      const aimed = listing.aimed.filter(({ field }) => field === 'title');
      const isUnsearched = aimed.every(({ searchStatus }) => searchStatus === 'unsearched');
      const isRaised = title(listing)?.state === 'scored' && isUnsearched;
      return isRaised ? { words: namesOf(withoutStopWords(listing)) } : null;
    },
  },
  {
    code: 'TITLE_BRAND_ONLY',
    severity: 'warning',
    tiers: [1, 2],
    title: 'The name is nothing but the brand',
    impact: 'Only those who know the brand search for it.',
    fix: 'Keep the brand and add what the app does in the words that people search for.',
    asksForWords: 'title',
    findEvidence: (listing) => {
      const words = withoutStopWords(listing);
      const isBrandOnly = words.length > 0 && words.every((word) => isOwnBrand(listing, word));
      return isBrandOnly ? { words: namesOf(words) } : null;
    },
  },
  {
    code: 'TITLE_UNDERUSED',
    severity: 'warning',
    title: 'The name leaves much of its room unused',
    impact: 'Each searched word in the name helps more than it would anywhere else.',
    fix: 'Use the free characters for searched words that describe the app.',
    asksForWords: 'title',
    findEvidence: (listing) => {
      const field = title(listing);
      if (field?.state !== 'scored') return null;
      const length = countUnits(field.text);
      return length < usedShare * field.limit ? { length, limit: field.limit } : null;
    },
  },
];

function title(listing: ReadListing) {
  return fieldOf(listing, 'title');
}

function withoutStopWords(listing: ReadListing): WordRow[] {
  return (title(listing)?.words ?? []).filter(({ kind }) => kind !== 'function');
}

function namesOf(words: readonly WordRow[]): string[] {
  return words.map(({ name }) => name);
}

/** Whether a word is of the developer's name, or a searched term that names this app's brand. */
function isOwnBrand({ input }: ReadListing, word: WordRow): boolean {
  if (word.kind === 'own-name') return true;
  const brand = input.terms.get(word.name)?.brand ?? null;
  return isSearched(word) && brand !== null && brand.app_id === input.app_id;
}
