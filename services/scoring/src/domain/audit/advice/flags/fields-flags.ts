import { countUnits } from '@shelfwise/facts/stores/listing-fields';
import type { ReadListing } from '../../read-listing.ts';
import { aimedWords, unsearchedWords } from '../unsearched-words.ts';
import type { FlagEvidence, FlagRule } from './flag-rule.ts';

/** `UNSEARCHED_WORDS_HIGH` is raised if more than this share of the words is unsearched. */
const unsearchedShare = 0.5;

/** Flags about more than one field. */
export const fieldsFlags: readonly FlagRule[] = [
  {
    code: 'FIELD_OVER_LIMIT',
    severity: 'critical',
    title: 'A field is longer than the store allows',
    impact: 'The store refuses a text of this length: the next update has to shorten it.',
    fix: 'Shorten the field to its limit; give up the words that earn least.',
    findEvidence: (listing) => {
      const over = listing.fields.flatMap(({ label, limit, text }) => {
        const length = countUnits(text ?? '');
        return length > limit ? [`${label}: ${length} of ${limit}`] : [];
      });
      return over.length > 0 ? { fields: over } : null;
    },
  },
  {
    code: 'FORBIDDEN_COPY',
    severity: 'critical',
    store: 'GPLAY',
    title: 'The listing uses words that Google Play forbids',
    impact: 'Google Play refuses listings that promote with prices, ranks or calls to install.',
    fix: 'Remove these words; the metadata check names each of them.',
    findEvidence: (listing) => forbiddenCopy(listing, 'error'),
  },
  {
    code: 'FORBIDDEN_COPY',
    severity: 'warning',
    store: 'ITUNES',
    title: 'The listing uses words that a reviewer may object to',
    impact:
      'The App Store publishes no list, but such words in the name or subtitle are a common reason for rejection.',
    fix: 'Remove these words; the metadata check names each of them.',
    findEvidence: (listing) => forbiddenCopy(listing, 'warning'),
  },
  {
    code: 'UNSEARCHED_WORDS_HIGH',
    severity: 'warning',
    title: 'Most words are not searched for',
    impact: 'They take up room in the fields that count most and bring no visitors.',
    fix: 'Replace them with searched words that mean the same.',
    asksForWords: 'any',
    findEvidence: (listing) => {
      const unsearched = unsearchedWords(listing).filter((word) => !listing.protectedTerms.has(word));
      const words = aimedWords(listing).length;
      return unsearched.length > unsearchedShare * words ? { words, unsearched } : null;
    },
  },
];

/** The metadata check's warnings of this level about forbidden words. Its other warnings have no rule. */
function forbiddenCopy({ check }: ReadListing, level: 'error' | 'warning'): FlagEvidence | null {
  const violations = check.fields.flatMap((field) =>
    field.warnings.filter((warning) => warning.rule != null && warning.level === level),
  );
  if (violations.length === 0) return null;
  return {
    rules: unique(violations.map(({ rule }) => rule ?? '')),
    findings: unique(violations.map(({ message }) => message)),
  };
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
