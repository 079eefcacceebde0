import { type ListingField, listingFields } from '@shelfwise/facts/listing-fields';
import type { Store } from '@shelfwise/facts/store';
import type { ListingTexts } from './audit-input.ts';

/** A field of one listing. `missing`: nobody knows what it holds; `empty`: it holds nothing but blanks. */
export type AuditField = ListingField & FieldText;

export type FieldText = { state: 'scored' | 'empty'; text: string } | { state: 'missing'; text: null };

/** The fields that the store has, in the order in which they claim words. */
export function auditFields(store: Store, texts: ListingTexts): AuditField[] {
  return listingFields[store].map((field) => ({ ...field, ...fieldText(texts[field.key]) }));
}

/** Name, subtitle and keywords: the terms that stand in them are those that the listing aims at. */
export function isAimed(field: AuditField): boolean {
  return field.isIndexed && field.key !== 'description';
}

function fieldText(text: string | null): FieldText {
  if (text === null) return { state: 'missing', text: null };
  return { state: text.trim() === '' ? 'empty' : 'scored', text };
}
