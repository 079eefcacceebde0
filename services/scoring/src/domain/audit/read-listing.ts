import type { ListingFieldKey } from '@shelfwise/facts/stores/listing-fields';
import type { Tier } from '@shelfwise/facts/tiers';
import type { CheckMetadataReply } from '@shelfwise/proto/scoring/v1/scoring';
import { checkMetadata } from '../check/check-metadata.ts';
import { type AimedTerm, aimedTerms } from './aimed-terms.ts';
import { auditFields } from './audit-field.ts';
import type { AuditInput } from './audit-input.ts';
import { type FieldCoverage, fieldCoverage } from './coverage.ts';
import { heldTerms } from './is-held.ts';
import { listingTerms } from './listing-terms.ts';
import { type TargetingAmounts, targetingOf } from './targeting.ts';
import { createTermFits, type TermFit } from './term-fit.ts';
import { createTermWords } from './term-words.ts';
import { tierOf } from './tier.ts';
import { wordTables } from './word-table.ts';

/** Everything that the axes, the flags and the report are computed from. */
export type ReadListing = {
  input: AuditInput;
  fields: readonly FieldCoverage[];
  aimed: readonly AimedTerm[];
  tier: Tier;
  /** What each graded term adds to targeting; null: none is graded. */
  amounts: TargetingAmounts | null;
  /** Terms that no flag advises to drop (`heldTerms`). */
  held: ReadonlySet<string>;
  fitOf: (keyword: string) => TermFit;
  /** limits and forbidden copy */
  check: CheckMetadataReply;
};

/**
 * Splits a listing into scored fields and terms, once per audit.
 * @param assumed what terms are to the app, instead of what their pages say (`scoreRanges`)
 */
export function readListing(
  input: AuditInput,
  assumed: ReadonlyMap<string, TermFit> = new Map(),
): ReadListing {
  const { storefront, texts } = input;
  const auditedTerms = new Set(listingTerms(input).map(({ keyword }) => keyword));
  const fields = auditFields(storefront, texts);
  const words = createTermWords(storefront.lang);
  const knownFitOf = createTermFits(input, words);
  const fitOf = (keyword: string) => assumed.get(keyword) ?? knownFitOf(keyword);
  const aimed = aimedTerms(input, fields, auditedTerms, { fitOf, words });
  const tables = wordTables(input, fields, auditedTerms, { fitOf, words });
  const tier = tierOf(storefront.store, input.context);
  return {
    input,
    fields: fields.map((field) => fieldCoverage(storefront.store, field, tables.get(field.key) ?? [])),
    aimed,
    tier,
    amounts: targetingOf(tier, aimed),
    held: heldTerms(aimed, storefront.lang),
    fitOf,
    check: checkMetadata(storefront.store, texts, storefront.lang),
  };
}

/** The field with this key; undefined if the store has none. */
export function fieldOf(listing: ReadListing, key: ListingFieldKey): FieldCoverage | undefined {
  return listing.fields.find((field) => field.key === key);
}
