import { type ListingField, listingFields, normalizeNewlines } from '@shelfwise/facts/stores/listing-fields';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { segmenterOf } from '@shelfwise/facts/text/by-language';
import { isBlank } from '@shelfwise/facts/text/invisible-characters';
import { keywordEntries } from '../text/keyword-entries.ts';
import type { ListingTexts } from './audit-input.ts';

/** A field of one listing. `missing`: its text is unknown; `empty`: it is blank. */
export type AuditField = ListingField & FieldText;

export type FieldText = ({ state: 'scored' | 'empty'; text: string } | { state: 'missing'; text: null }) & {
  /** The text from which words are taken: cut at the limit; the keywords field has one entry per line. */
  readable: string;
};

/** The store's fields, in the order in which they are credited for words. */
export function auditFields({ store, lang }: Storefront, texts: ListingTexts): AuditField[] {
  return listingFields[store].map((field) => ({ ...field, ...fieldText(field, texts[field.key], lang) }));
}

/** Whether the listing aims at the field's terms: name, subtitle and keywords field. */
export function isAimed(field: AuditField): boolean {
  return field.isIndexed && field.key !== 'description';
}

function fieldText({ key, limit }: ListingField, text: string | null, lang: string): FieldText {
  if (text === null) return { state: 'missing', text: null, readable: '' };
  const normal = normalizeNewlines(text);
  // Separators are one character long, so the length does not change.
  const readable = key === 'kw_field' ? keywordEntries(normal).join('\n') : normal;
  return {
    state: isBlank(text) ? 'empty' : 'scored',
    text,
    readable: withinLimit(readable, limit, lang),
  };
}

/** How far beyond the limit a word is followed, in UTF-16 units: a text can be far longer than any store allows. */
const longestWord = 100;

/** The text up to its limit in UTF-16 units, without a word that crosses the limit. */
function withinLimit(text: string, limit: number, lang: string): string {
  if (text.length <= limit) return text;
  const segments = segmenterOf(lang).segment(text.slice(0, limit + longestWord));
  return text.slice(0, segments.containing(limit)?.index ?? limit);
}
