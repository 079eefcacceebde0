import type { ListingFieldKey } from '@shelfwise/facts/stores/listing-fields';
import type { SearchStatus } from '../../keyword/search-status.ts';
import { type AuditField, isAimed } from '../audit-field.ts';
import { type AuditInput, type TermScore, unmeasured } from '../audit-input.ts';
import type { TermWords } from '../words/term-words.ts';
import type { TermFit } from './term-fit.ts';

/** A word or phrase that the listing may aim at. */
export type AimedTerm = Omit<TermScore, 'search_status' | 'page' | 'brand'> &
  TermFit & {
    searchStatus: SearchStatus;
    /** What its spellings have in common (`TermWords`). */
    form: string;
    /** The forms of its words, in order. */
    words: readonly string[];
    /** All its content words are common. */
    isCommon: boolean;
    /** normal form */
    name: string;
    /** The first field that contains it. */
    field: ListingFieldKey;
  };

/**
 * The words and phrases (up to 3 words) of the name, subtitle and keywords field, each once, in field order, searched
 * or not. (docs/scores.md, targeting)
 * @param auditedTerms the terms that the audit covers (`listingTerms`); others are skipped
 */
export function aimedTerms(
  { terms }: Pick<AuditInput, 'terms'>,
  fields: readonly AuditField[],
  auditedTerms: ReadonlySet<string>,
  { fitOf, words }: { fitOf: (keyword: string) => TermFit; words: TermWords },
): AimedTerm[] {
  const found = new Map<string, AimedTerm>();
  for (const field of fields.filter(isAimed)) {
    for (const name of words.phrasesIn(field.readable)) {
      if (found.has(name) || !auditedTerms.has(name)) continue;
      found.set(name, aimedTerm(name, field.key, terms.get(name) ?? unmeasured, { fitOf, words }));
    }
  }
  return [...found.values()];
}

/** A term of a field with its scores. */
export function aimedTerm(
  name: string,
  field: ListingFieldKey,
  { search_status: searchStatus, page: _page, brand: _brand, ...score }: TermScore,
  { fitOf, words }: { fitOf: (keyword: string) => TermFit; words: TermWords },
): AimedTerm {
  return {
    ...score,
    ...fitOf(name),
    searchStatus,
    form: words.formOf(name),
    words: words.formsIn(name),
    isCommon: words.isCommon(name),
    name,
    field,
  };
}
