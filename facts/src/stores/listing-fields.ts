import type { Store } from './store.ts';

/** The text fields of a listing, as the public API names them. */
export type ListingFieldKey = 'title' | 'subtitle' | 'kw_field' | 'description';

export type ListingField = {
  readonly key: ListingFieldKey;
  /** The name of the field in App Store Connect or the Google Play Console. */
  readonly label: string;
  /** Maximum length in UTF-16 code units, as `countUnits` counts them. */
  readonly limit: number;
  /** Whether the store's search indexes the field. */
  readonly isIndexed: boolean;
};

/** The maximum length of the App Store's keywords field, in the units of `countUnits`. */
export const maxKeywordsFieldUnits = 100;

/**
 * The text fields that a developer fills in for each store. The order matters: an audit counts a word in the first
 * field that has it.
 */
export const listingFields: Readonly<Record<Store, readonly ListingField[]>> = {
  ITUNES: [
    { key: 'title', label: 'Name', limit: 30, isIndexed: true },
    { key: 'subtitle', label: 'Subtitle', limit: 30, isIndexed: true },
    { key: 'kw_field', label: 'Keywords', limit: maxKeywordsFieldUnits, isIndexed: true },
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

/** The length of a text as the stores count it: in UTF-16 code units, and every line break (also CRLF) is one. */
export function countUnits(text: string): number {
  return normalizeNewlines(text).length;
}
