import { countUnits } from '@shelfwise/facts/stores/listing-fields';
import { fieldOf, type ReadListing } from '../../read-listing.ts';
import type { FlagEvidence, FlagRule } from './flag-rule.ts';
import { repeatedWords } from './repeated-words.ts';

/** Of the field's 100 characters; with fewer it counts as underused. */
const minCharacters = 90;

const rules: readonly Omit<FlagRule, 'store'>[] = [
  {
    code: 'KW_FIELD_UNKNOWN',
    severity: 'info',
    title: 'The keywords field is not known',
    impact: 'The store never shows it: coverage is computed from the name and the subtitle alone.',
    fix: 'Keep the field on the page Listing of the dashboard or with PUT /api/v1/applications/{id}/keywords-field, or send it with a simulation, to have it scored too.',
    findEvidence: (listing) => (keywordsField(listing)?.state === 'missing' ? {} : null),
  },
  {
    code: 'KW_FIELD_EMPTY',
    severity: 'critical',
    title: 'The keywords field is empty',
    impact: 'A hundred characters that the search reads and visitors never see stay unused.',
    fix: 'Fill it with searched words that the name and the subtitle do not carry, separated by commas without spaces.',
    asksForWords: 'kw_field',
    findEvidence: (listing) => (keywordsField(listing)?.state === 'empty' ? {} : null),
  },
  {
    code: 'KW_FIELD_UNDERUSED',
    severity: 'warning',
    title: 'The keywords field leaves room unused',
    impact: 'Only the search reads this field: free characters are room for words that could bring visitors.',
    fix: 'Add searched words until the field is full.',
    asksForWords: 'kw_field',
    findEvidence: (listing) => {
      const field = keywordsField(listing);
      if (field?.state !== 'scored') return null;
      const length = countUnits(field.text);
      return length < minCharacters ? { length, limit: field.limit } : null;
    },
  },
  {
    code: 'KW_FIELD_REPEATS',
    severity: 'warning',
    title: 'The keywords field repeats words',
    impact: 'The store indexes a word once: a repeat takes room from a word that could earn.',
    fix: 'Replace the words that the name, the subtitle or the field itself already carries.',
    asksForWords: 'kw_field',
    findEvidence: (listing) => {
      const { repeated } = repeatedWords(listing, 'kw_field');
      const repeats = [...repeated.map(({ name }) => name), ...(listing.check.keywords?.duplicates ?? [])];
      return evidenceOf([...new Set(repeats)]);
    },
  },
  {
    code: 'KW_FIELD_SPACES',
    severity: 'warning',
    title: 'The keywords field spends characters on spaces',
    impact: 'The store splits the field at its commas: a space next to a comma gains nothing.',
    fix: 'Separate the words by commas alone, without spaces.',
    findEvidence: (listing) => {
      const characters = listing.check.keywords?.wasted_on_spaces ?? 0;
      return characters > 0 ? { characters } : null;
    },
  },
  {
    code: 'KW_FIELD_PHRASES',
    severity: 'info',
    title: 'The keywords field holds phrases',
    impact: 'The store combines single words by itself: a phrase gains nothing over its words.',
    fix: 'Split the phrases into words and keep each word once.',
    findEvidence: ({ check, protectedTerms }) =>
      evidenceOf((check.keywords?.phrases ?? []).filter((phrase) => !protectedTerms.has(phrase))),
  },
  {
    code: 'KW_FIELD_STOPWORDS',
    severity: 'info',
    title: 'The keywords field holds words that earn nothing',
    impact:
      'The store finds the app by its category and developer’s name anyway, and stop words and single letters or digits are not searched for.',
    fix: 'Replace them with searched words that no field carries yet.',
    asksForWords: 'kw_field',
    findEvidence: (listing) => {
      const idle = (keywordsField(listing)?.words ?? []).filter(
        (word) =>
          (word.kind === 'function' || word.isIndexedAnyway) && !listing.protectedTerms.has(word.name),
      );
      return evidenceOf(idle.map(({ name }) => name));
    },
  },
];

/** Flags about the App Store's keywords field. If the field is unknown, only KW_FIELD_UNKNOWN is raised. */
export const keywordsFieldFlags: readonly FlagRule[] = rules.map((rule) => ({ ...rule, store: 'ITUNES' }));

function keywordsField(listing: ReadListing) {
  return fieldOf(listing, 'kw_field');
}

function evidenceOf(words: readonly string[]): FlagEvidence | null {
  return words.length > 0 ? { words } : null;
}
