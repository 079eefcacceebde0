import { countUnits } from '@shelfwise/facts/stores/listing-fields';
import { isRead } from '../../../keyword/search-status.ts';
import { minRelevantGain } from '../../axes/relevance.ts';
import type { WordRow } from '../../axes/word-table.ts';
import { fieldOf, type ReadListing } from '../../read-listing.ts';
import type { FlagRule } from './flag-rule.ts';
import { stuffedWords } from './stuffed-words.ts';
import { rivalTerms } from './targeting-flags.ts';

const thinBelow = 1_000;

/** Flags about Google Play's long description, which the store's search reads. */
export const descriptionFlags: readonly FlagRule[] = [
  {
    code: 'DESCRIPTION_THIN',
    severity: 'warning',
    store: 'GPLAY',
    title: 'The full description is too short',
    impact: 'The search reads all of it, so a short one matches few searches.',
    fix: 'Describe what the app does, feature by feature, in the words that people search for.',
    findEvidence: (listing) => {
      const text = description(listing)?.text ?? null;
      const length = text === null ? null : countUnits(text);
      return length !== null && length < thinBelow ? { length } : null;
    },
  },
  {
    code: 'DESCRIPTION_MISSES_TARGETS',
    severity: 'warning',
    store: 'GPLAY',
    title: 'The full description is missing words that the listing aims at',
    impact:
      'A word that the description also has ranks better than one that only the name or the short description has.',
    fix: 'Use each of these words in the full description once or twice, where it reads naturally.',
    findEvidence: (listing) => {
      // A phrase that is not read yet may be a rival's brand.
      const unread = listing.aimed.filter((term) => !isRead(term));
      const suspects = new Set([...rivalTerms(listing), ...unread].flatMap(({ words }) => words));
      const isSuspect = ({ name, form }: WordRow) => suspects.has(form) && !listing.protectedTerms.has(name);
      const missing = (description(listing)?.words ?? []).filter(
        (word) => word.status === 'missing' && word.gain >= minRelevantGain && !isSuspect(word),
      );
      return missing.length > 0 ? { words: missing.map(({ name }) => name) } : null;
    },
  },
  {
    code: 'KEYWORD_STUFFING',
    severity: 'warning',
    store: 'GPLAY',
    title: 'The full description repeats words too often',
    impact: 'The store may take down listings that repeat keywords, and visitors stop reading.',
    fix: 'Use these words less often: name the subject once per paragraph, then describe what it does.',
    findEvidence: (listing) => {
      const stuffed = stuffedWords(listing);
      return stuffed.length > 0 ? { words: stuffed } : null;
    },
  },
];

function description(listing: ReadListing) {
  return fieldOf(listing, 'description');
}
