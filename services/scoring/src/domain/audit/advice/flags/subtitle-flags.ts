import { countUnits } from '@shelfwise/facts/stores/listing-fields';
import { fieldOf, type ReadListing } from '../../read-listing.ts';
import type { FlagRule } from './flag-rule.ts';
import { repeatedWords } from './repeated-words.ts';

/** Below this share of the limit the field counts as underused. */
const usedShare = 0.65;

/**
 * Google Play: from this share of repeated words on, the short description says too little. Some repeats are normal,
 * because it is a sentence. In an App Store subtitle every repeat counts.
 */
const repeatedShare = 0.5;

export const subtitleFlags: readonly FlagRule[] = [
  {
    code: 'SUBTITLE_EMPTY',
    severity: 'critical',
    store: 'ITUNES',
    title: 'There is no subtitle',
    impact: 'After the name, the subtitle counts most in search, and every list of results shows it.',
    fix: 'Write a subtitle of searched words that the name does not carry yet.',
    asksForWords: 'subtitle',
    findEvidence: whenEmpty,
  },
  {
    code: 'SHORT_DESCRIPTION_EMPTY',
    severity: 'critical',
    store: 'GPLAY',
    title: 'There is no short description',
    impact: 'After the name, the short description counts most in search, and visitors read it first.',
    fix: 'Say in one sentence what the app does, with searched words that the name does not carry yet.',
    asksForWords: 'subtitle',
    findEvidence: whenEmpty,
  },
  {
    code: 'SUBTITLE_UNDERUSED',
    severity: 'warning',
    store: 'ITUNES',
    title: 'The subtitle leaves much of its room unused',
    impact: 'Free characters are room for searched words that could bring visitors.',
    fix: 'Add searched words that the name does not carry yet.',
    asksForWords: 'subtitle',
    findEvidence: whenUnderused,
  },
  {
    code: 'SUBTITLE_UNDERUSED',
    severity: 'warning',
    store: 'GPLAY',
    title: 'The short description leaves much of its room unused',
    impact: 'Free characters are room for searched words that could bring visitors.',
    fix: 'Say more about what the app does, with searched words that the name does not carry yet.',
    asksForWords: 'subtitle',
    findEvidence: whenUnderused,
  },
  {
    code: 'SUBTITLE_DUPLICATES_TITLE',
    severity: 'warning',
    store: 'ITUNES',
    title: 'The subtitle repeats words of the name',
    impact: 'The store indexes a word once: a repeat takes room from a word that could earn.',
    fix: 'Replace the repeated words with searched words that no field carries yet.',
    asksForWords: 'subtitle',
    findEvidence: (listing) => whenRepeated(listing, 0),
  },
  {
    code: 'SUBTITLE_DUPLICATES_TITLE',
    severity: 'warning',
    store: 'GPLAY',
    title: 'The short description says little more than the name',
    impact: 'Half of its words or more are already credited to the name and bring no further searches.',
    fix: 'Replace some of the repeated words with searched words that the name does not carry.',
    asksForWords: 'subtitle',
    findEvidence: (listing) => whenRepeated(listing, repeatedShare),
  },
];

function whenEmpty(listing: ReadListing) {
  return fieldOf(listing, 'subtitle')?.state === 'empty' ? {} : null;
}

function whenUnderused(listing: ReadListing) {
  const field = fieldOf(listing, 'subtitle');
  if (field?.state !== 'scored') return null;
  const length = countUnits(field.text);
  return length < usedShare * field.limit ? { length, limit: field.limit } : null;
}

/**
 * Repeats of words of the name, searched or not.
 * @param minShare of the field's other words, 0 to 1
 */
function whenRepeated(listing: ReadListing, minShare: number) {
  const { words, repeated } = repeatedWords(listing, 'subtitle');
  const isTooMuch = repeated.length > 0 && repeated.length >= minShare * words.length;
  return isTooMuch ? { words: repeated.map(({ name }) => name) } : null;
}
