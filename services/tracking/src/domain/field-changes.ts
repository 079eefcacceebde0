import { listingFields } from '@shelfwise/facts/stores/listing-fields';
import type { Store } from '@shelfwise/facts/stores/store';
import { stopWordsOf } from '@shelfwise/facts/text/stop-words';
import { commonForm } from '@shelfwise/facts/text/word-form';
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
    const words = field === 'version' ? noWords : compareWords(old, fresh, lang);
    return [{ field, before: old, after: fresh, ...words }];
  });
}

const noWords = { words_added: [], words_removed: [] };

/** Words as the store's search compares them: by their forms, without function words. (docs/scores.md, words) */
export type SearchedForms = { added: ReadonlySet<string>; removed: ReadonlySet<string> };

/**
 * The words that came into the texts that the store's search reads, and those that left all of them. A word that moved from
 * one of them to another did neither, and neither did one whose other form was there (`habit`, `habits`).
 */
export function compareSearchedWords(
  before: KnownVersion,
  after: KnownVersion,
  { store, formsOf }: { store: Store; formsOf: (text: string) => readonly string[] },
): SearchedForms {
  const known = shownFields.filter((field) => before[field] !== null && after[field] !== null);
  const searched = known.filter((field) =>
    listingFields[store].some(({ key, isIndexed }) => key === field && isIndexed),
  );
  const readForms = (version: KnownVersion) =>
    new Set(searched.flatMap((field) => formsOf(version[field] ?? '')));
  const [old, fresh] = [readForms(before), readForms(after)];
  return { added: without(fresh, old), removed: without(old, fresh) };
}

/** The forms of the words of texts, without function words. @param lang BCP 47 */
export function createFormsOf(lang: string): (text: string) => string[] {
  const stopWords = stopWordsOf(lang);
  return (text) =>
    wordsOf(text, lang)
      .filter((word) => !stopWords.has(word))
      .map((word) => commonForm(word, lang) || word);
}

function compareWords(before: string, after: string, lang: string) {
  const [old, fresh] = [new Set(wordsOf(before, lang)), new Set(wordsOf(after, lang))];
  return { words_added: [...without(fresh, old)], words_removed: [...without(old, fresh)] };
}

function without(words: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...words].filter((word) => !others.has(word)));
}
