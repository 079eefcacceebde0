import { countUnits } from '@shelfwise/facts/stores/listing-fields';
import type { CheckWarning } from '@shelfwise/proto/scoring/v1/scoring';
import { checkSigns } from '../../../check/check-signs.ts';
import { type AuditField, isAimed } from '../../audit-field.ts';
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
    title: 'The listing uses words or signs that Google Play forbids',
    impact:
      'Google Play refuses listings that promote with prices, ranks or calls to install, and names with emoji or repeated signs.',
    fix: 'Remove what the findings name; the metadata check explains each of them.',
    findEvidence: (listing) => forbiddenCopy(listing, 'error'),
  },
  {
    code: 'FORBIDDEN_COPY',
    severity: 'warning',
    store: 'ITUNES',
    title: 'The listing uses words or signs that a reviewer may object to',
    impact:
      'The App Store publishes no list, but such words and emoji in the name or subtitle are common reasons for rejection.',
    fix: 'Remove what the findings name; the metadata check explains each of them.',
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

/**
 * The metadata check's warnings of this level about forbidden words, which have a rule; and the signs that the store refuses in
 * the name, the subtitle and the keywords field.
 */
function forbiddenCopy(listing: ReadListing, level: 'error' | 'warning'): FlagEvidence | null {
  const violations = listing.check.fields.flatMap((field) =>
    field.warnings.filter((warning) => warning.rule != null && warning.level === level),
  );
  const signs = listing.fields.filter(isAimed).flatMap((field) => refusedSigns(listing, field));
  if (violations.length + signs.length === 0) return null;
  return {
    rules: unique(violations.map(({ rule }) => rule ?? '')),
    findings: unique([...violations, ...signs].map(({ message }) => message)),
  };
}

function refusedSigns({ input, check }: ReadListing, field: AuditField): CheckWarning[] {
  const { warnings = [] } = check.fields.find((checked) => checked.field === field.key) ?? {};
  // Most fields are refused for nothing, and to look for signs again costs more than this.
  if (field.text === null || !warnings.some(isRefusedForm)) return [];
  return checkSigns(input.storefront.store, field, field.text).filter(isRefusedForm);
}

function isRefusedForm({ level, rule }: CheckWarning): boolean {
  return level === 'error' && rule == null;
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
