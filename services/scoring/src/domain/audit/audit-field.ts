import { type ListingField, listingFields } from '@shelfwise/facts/listing-fields';
import type { Store } from '@shelfwise/facts/store';
import type { ListingTexts } from './audit-input.ts';

/** A field of one listing. `missing`: nobody knows what it holds; `empty`: it holds nothing but blanks. */
export type AuditField = ListingField & FieldText;

export type FieldText = ({ state: 'scored' | 'empty'; text: string } | { state: 'missing'; text: null }) & {
  /** What its words are taken from. */
  readable: string;
};

/**
 * UTF-16 units of a field that are taken apart: as many as the longest field may have. A draft can be far longer than any
 * store allows, and the time to find the words of a text grows faster than its length.
 */
const maxReadable = 4_000;

/** The fields that the store has, in the order in which they claim words. */
export function auditFields(store: Store, texts: ListingTexts): AuditField[] {
  return listingFields[store].map((field) => ({ ...field, ...fieldText(texts[field.key]) }));
}

/** Name, subtitle and keywords: the terms that stand in them are those that the listing aims at. */
export function isAimed(field: AuditField): boolean {
  return field.isIndexed && field.key !== 'description';
}

function fieldText(text: string | null): FieldText {
  if (text === null) return { state: 'missing', text: null, readable: '' };
  return { state: text.trim() === '' ? 'empty' : 'scored', text, readable: text.slice(0, maxReadable) };
}
