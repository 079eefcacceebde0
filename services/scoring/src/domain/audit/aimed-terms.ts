import type { ListingFieldKey } from '@shelfwise/facts/stores/listing-fields';
import { phrasesOf } from '@shelfwise/facts/text/phrases';
import type { SearchStatus } from '../keyword/search-status.ts';
import { type AuditField, isAimed } from './audit-field.ts';
import type { AuditInput, TermScore } from './audit-input.ts';
import { maxPhraseWords } from './listing-terms.ts';
import type { TermFit } from './term-fit.ts';

/** A word or phrase that the listing may aim at. */
export type AimedTerm = Omit<TermScore, 'search_status' | 'page'> &
  TermFit & {
    searchStatus: SearchStatus;
    /** normal form */
    name: string;
    /** The first field that contains it. */
    field: ListingFieldKey;
  };

const unmeasured: TermScore = {
  traffic: null,
  difficulty: null,
  search_status: 'pending',
  brand: null,
  page: null,
};

/**
 * The words and phrases (up to 3 words) of the name, subtitle and keywords field, each once, in field order, searched
 * or not. (docs/scores.md, targeting)
 * @param auditedTerms the terms that the audit covers (`listingTerms`); others are skipped
 */
export function aimedTerms(
  { storefront, terms }: Pick<AuditInput, 'storefront' | 'terms'>,
  fields: readonly AuditField[],
  auditedTerms: ReadonlySet<string>,
  fitOf: (keyword: string) => TermFit,
): AimedTerm[] {
  const found = new Map<string, AimedTerm>();
  for (const field of fields.filter(isAimed)) {
    for (const name of phrasesOf(field.readable, storefront.lang, maxPhraseWords)) {
      if (found.has(name) || !auditedTerms.has(name)) continue;
      const { search_status: searchStatus, page: _, ...score } = terms.get(name) ?? unmeasured;
      found.set(name, { ...score, ...fitOf(name), searchStatus, name, field: field.key });
    }
  }
  return [...found.values()];
}
