import type { Store } from './store.ts';

/** The texts of a listing, as the public API names them. */
export type ListingFieldKey = 'title' | 'subtitle' | 'kw_field' | 'description';

export type ListingField = {
  readonly key: ListingFieldKey;
  /** The field's name in the store's own console. */
  readonly label: string;
  /** Most UTF-16 units that the store accepts, as `countUnits` counts them. */
  readonly limit: number;
  /** Whether the store's search reads it. */
  readonly isIndexed: boolean;
};

/** What each store lets a developer write, the most important text first. */
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

/** The text with every line break (CRLF, CR or LF) as one LF, as the stores keep it. */
export function normalizeNewlines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** A text's length as the stores count it: UTF-16 units, a line break being one. */
export function countUnits(text: string): number {
  return normalizeNewlines(text).length;
}
