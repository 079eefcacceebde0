import { type ListingField, listingFields, normalizeNewlines } from '@shelfwise/facts/stores/listing-fields';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { keywordEntries } from '../text/keyword-entries.ts';
import type { ListingTexts } from './audit-input.ts';

/** A field of one listing. `missing`: nobody knows what it holds; `empty`: it holds nothing but blanks. */
export type AuditField = ListingField & FieldText;

export type FieldText = ({ state: 'scored' | 'empty'; text: string } | { state: 'missing'; text: null }) & {
  /** What its words are taken from: no more than its limit allows; the keywords field with an entry on each line. */
  readable: string;
};

/** The fields that the store has, in the order in which they claim words. */
export function auditFields({ store, lang }: Storefront, texts: ListingTexts): AuditField[] {
  return listingFields[store].map((field) => ({ ...field, ...fieldText(field, texts[field.key], lang) }));
}

/** Name, subtitle and keywords: the terms that stand in them are those that the listing aims at. */
export function isAimed(field: AuditField): boolean {
  return field.isIndexed && field.key !== 'description';
}

function fieldText({ key, limit }: ListingField, text: string | null, lang: string): FieldText {
  if (text === null) return { state: 'missing', text: null, readable: '' };
  const normal = normalizeNewlines(text);
  // A separator is one character, so that nothing moves.
  const readable = key === 'kw_field' ? keywordEntries(normal).join('\n') : normal;
  return {
    state: text.trim() === '' ? 'empty' : 'scored',
    text,
    readable: withinLimit(readable, limit, lang),
  };
}

/** No word is sought for so far beyond a limit: a text can be far longer than any store allows. UTF-16 units. */
const longestWord = 100;

/** The text up to its limit in UTF-16 units, without the word that stands across it. */
function withinLimit(text: string, limit: number, lang: string): string {
  if (text.length <= limit) return text;
  const segments = new Intl.Segmenter(lang, { granularity: 'word' }).segment(
    text.slice(0, limit + longestWord),
  );
  return text.slice(0, segments.containing(limit)?.index ?? limit);
}
