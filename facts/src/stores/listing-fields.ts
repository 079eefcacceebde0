import type { Store } from './store.ts';

/** The text fields of a listing, as the public API names them. */
export type ListingFieldKey = 'title' | 'subtitle' | 'kw_field' | 'description';

export type ListingField = {
  readonly key: ListingFieldKey;
  /** The name of the field in the store's console. */
  readonly label: string;
  /** Maximum length in UTF-16 units, as `countUnits` counts them. */
  readonly limit: number;
  /** Whether the store's search indexes the field. */
  readonly isIndexed: boolean;
};

/** The text fields that a developer writes for each store, the most important first. */
export const listingFields: Readonly<Record<Store, readonly ListingField[]>> = {
  ITUNES: [
    { key: 'title', label: 'Name', limit: 30, isIndexed: true },
    { key: 'subtitle', label: 'Subtitle', limit: 30, isIndexed: true },
    { key: 'kw_field', label: 'Keywords', limit: 100, isIndexed: true },
    { key: 'description', label: 'Description', limit: 4000, isIndexed: false },
  ],
  GPLAY: [
    { key: 'title', label: 'App name', limit: 30, isIndexed: true },
    { key: 'subtitle', label: 'Short description', limit: 80, isIndexed: true },
    { key: 'description', label: 'Full description', limit: 4000, isIndexed: true },
  ],
};

/** Replaces every line break (CRLF, CR or LF) by one LF, as the stores do. */
export function normalizeNewlines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** The length of a text as the stores count it: UTF-16 units, one per line break. */
export function countUnits(text: string): number {
  return normalizeNewlines(text).length;
}
