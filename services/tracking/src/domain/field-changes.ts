import { listingFields } from '@shelfwise/facts/stores/listing-fields';
import type { Store } from '@shelfwise/facts/stores/store';
import { wordsOf } from '@shelfwise/facts/text/words';
import type { ListingVersion } from './listing-version.ts';

/** The fields of a listing whose change is shown; ratings change almost daily. */
export const shownFields = ['title', 'subtitle', 'description', 'version'] as const;

export type ShownField = (typeof shownFields)[number];

/** A change of a text that was known before and after. */
export type FieldChange = {
  field: ShownField;
  before: string;
  after: string;
  /** In normal form, each once, in the order of the text. Empty for a version. */
  words_added: string[];
  words_removed: string[];
};

/** A revision with the texts that it shows. A null description is not known. */
export type KnownVersion = Pick<ListingVersion, ShownField>;

/** In the order of `shownFields`. */
export function compareFields(before: KnownVersion, after: KnownVersion, lang: string): FieldChange[] {
  return shownFields.flatMap((field) => {
    const [old, fresh] = [before[field], after[field]];
    if (old === null || fresh === null || old === fresh) return [];
    const words = field === 'version' ? noWords : compareWords([old], [fresh], lang);
    return [{ field, before: old, after: fresh, ...words }];
  });
}

const noWords = { words_added: [], words_removed: [] };

/**
 * The words that came into the texts that the store's search reads, and those that left all of them. A word that moved from
 * one of them to another did neither.
 */
export function compareSearchedWords(
  before: KnownVersion,
  after: KnownVersion,
  { store, lang }: { store: Store; lang: string },
): Pick<FieldChange, 'words_added' | 'words_removed'> {
  const known = shownFields.filter((field) => before[field] !== null && after[field] !== null);
  const searched = known.filter((field) =>
    listingFields[store].some(({ key, isIndexed }) => key === field && isIndexed),
  );
  const textsOf = (version: KnownVersion) => searched.map((field) => version[field] ?? '');
  return compareWords(textsOf(before), textsOf(after), lang);
}

function compareWords(before: readonly string[], after: readonly string[], lang: string) {
  const toWords = (texts: readonly string[]) => new Set(texts.flatMap((text) => wordsOf(text, lang)));
  const [old, fresh] = [toWords(before), toWords(after)];
  return {
    words_added: [...fresh].filter((word) => !old.has(word)),
    words_removed: [...old].filter((word) => !fresh.has(word)),
  };
}
