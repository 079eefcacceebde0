import type { ListingFieldKey } from '@shelfwise/facts/stores/listing-fields';
import type { Tier } from '@shelfwise/facts/tiers';
import type { CheckMetadataReply } from '@shelfwise/proto/scoring/v1/scoring';
import { checkMetadata } from '../check/check-metadata.ts';
import { type AuditField, auditFields } from './audit-field.ts';
import type { AuditInput } from './audit-input.ts';
import { type AimedTerm, aimedTerms } from './axes/aimed-terms.ts';
import { type FieldCoverage, fieldCoverage } from './axes/coverage.ts';
import { protectedTerms } from './axes/protected-terms.ts';
import { type TargetingAmounts, targetingOf } from './axes/targeting.ts';
import { createTermFits, type TermFit, type TermFits } from './axes/term-fit.ts';
import { tierOf } from './axes/tier.ts';
import { createWordTables, type WordTables } from './axes/word-table.ts';
import { listingTerms } from './words/listing-terms.ts';
import { createTermWords, type TermWords } from './words/term-words.ts';

/** Everything that the axes, the flags and the report are computed from. */
export type ReadListing = {
  input: AuditInput;
  fields: readonly FieldCoverage[];
  aimed: readonly AimedTerm[];
  tier: Tier;
  /** What each graded term adds to targeting; null: none is graded. */
  amounts: TargetingAmounts | null;
  /** Terms that no flag advises to drop (`protectedTerms`). */
  protectedTerms: ReadonlySet<string>;
  fitOf: TermFits['fitOf'];
  fitOfAdded: TermFits['fitOfAdded'];
  words: TermWords;
  tablesWith: WordTables['tablesWith'];
  /** limits and forbidden copy */
  check: CheckMetadataReply;
};

/** What the texts of a listing say, whatever is known of their terms. */
export type ListingSplit = {
  auditedTerms: ReadonlySet<string>;
  fields: readonly AuditField[];
  words: TermWords;
  check: CheckMetadataReply;
};

export function splitListing({ storefront, texts }: Pick<AuditInput, 'storefront' | 'texts'>): ListingSplit {
  const words = createTermWords(storefront.lang);
  return {
    auditedTerms: new Set(listingTerms({ storefront, texts }, words).map(({ keyword }) => keyword)),
    fields: auditFields(storefront, texts),
    words,
    check: checkMetadata(storefront.store, texts, storefront.lang),
  };
}

/**
 * Scores the fields and terms of a listing, once per audit.
 * @param assumed what terms are to the app, instead of what their pages say (`scoreRanges`)
 */
export function readListing(
  input: AuditInput,
  { auditedTerms, fields, words, check }: ListingSplit = splitListing(input),
  assumed: ReadonlyMap<string, TermFit> = new Map(),
): ReadListing {
  const { storefront } = input;
  const { fitOf: knownFitOf, fitOfAdded } = createTermFits(input, words);
  const fitOf = (keyword: string) => assumed.get(keyword) ?? knownFitOf(keyword);
  const aimed = aimedTerms(input, fields, auditedTerms, { fitOf, words });
  const { tables, tablesWith } = createWordTables(input, fields, auditedTerms, { fitOf, words });
  const tier = tierOf(storefront.store, input.context);
  return {
    input,
    fields: fields.map((field) => fieldCoverage(storefront.store, field, tables.get(field.key) ?? [])),
    aimed,
    tier,
    amounts: targetingOf(tier, aimed),
    protectedTerms: protectedTerms(aimed, words),
    fitOf,
    fitOfAdded,
    words,
    tablesWith,
    check,
  };
}

/** The field with this key; undefined if the store has none. */
export function fieldOf(listing: ReadListing, key: ListingFieldKey): FieldCoverage | undefined {
  return listing.fields.find((field) => field.key === key);
}
