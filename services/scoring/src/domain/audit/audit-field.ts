import { type ListingField, type ListingFieldKey, listingFields } from '@shelfwise/facts/listing-fields';
import type { Store } from '@shelfwise/facts/store';
import { keywordEntries } from '../text/keyword-entries.ts';
import type { ListingTexts } from './audit-input.ts';

/** A field of one listing. `missing`: nobody knows what it holds; `empty`: it holds nothing but blanks. */
export type AuditField = ListingField & FieldText;

export type FieldText = ({ state: 'scored' | 'empty'; text: string } | { state: 'missing'; text: null }) & {
  /** What its words are taken from; the keywords field with an entry on each line. */
  readable: string;
};

/**
 * UTF-16 units of a field that are taken apart: as many as the longest field may have. A draft can be far longer than any
 * store allows, and the time to find the words of a text grows faster than its length.
 */
const maxReadable = 4_000;

/** The fields that the store has, in the order in which they claim words. */
export function auditFields(store: Store, texts: ListingTexts): AuditField[] {
  return listingFields[store].map((field) => ({ ...field, ...fieldText(texts[field.key], field.key) }));
}

/** Name, subtitle and keywords: the terms that stand in them are those that the listing aims at. */
export function isAimed(field: AuditField): boolean {
  return field.isIndexed && field.key !== 'description';
}

function fieldText(text: string | null, key: ListingFieldKey): FieldText {
  if (text === null) return { state: 'missing', text: null, readable: '' };
  const read = text.slice(0, maxReadable);
  return {
    state: text.trim() === '' ? 'empty' : 'scored',
    text,
    readable: key === 'kw_field' ? keywordEntries(read).join('\n') : read,
  };
}
