import { type ListingField, listingFields, normalizeNewlines } from '@shelfwise/facts/stores/listing-fields';
import { type Store, storeNames } from '@shelfwise/facts/stores/store';
import type { CheckedField, CheckMetadataReply, Draft } from '@shelfwise/proto/scoring/v1/scoring';
import { checkForm } from './check-form.ts';
import { checkKeywords } from './check-keywords.ts';
import { checkSigns } from './check-signs.ts';
import { checkWords } from './check-words.ts';
import { readKeywords } from './read-keywords.ts';

/**
 * Checks a draft as the store would: the length of each text (UTF-16 units, a line break counts 1), its form and its
 * words. Only texts that were sent are checked: null or undefined means not sent, an empty text is sent. `valid` is
 * false when a field has a warning of the level `error`. The time is linear in the texts' length. (docs/metadata-check.md)
 * @param lang BCP 47: the language whose plurals and lower case count; English when it is not known
 */
export function checkMetadata(store: Store, draft: Draft, lang = 'en'): CheckMetadataReply {
  const texts = normalizeDraft(draft);
  const fields = listingFields[store].flatMap((field) => {
    const text = texts[field.key];
    return text === null ? [] : [checkField(store, field, text, { texts, lang })];
  });
  const hasKeywords = store === 'ITUNES' && texts.kw_field !== null;
  return {
    valid: fields.every(({ warnings }) => warnings.every(({ level }) => level !== 'error')),
    fields,
    notes: notesOnIgnoredFields(store, texts.kw_field),
    keywords: hasKeywords ? readKeywords(texts.kw_field, lang) : null,
  };
}

/** Whether a store's policy objects to these words in a name or subtitle. */
export function isAgainstPolicy(store: Store, words: string): boolean {
  const { fields } = checkMetadata(store, { title: words, subtitle: words });
  return fields.some(({ warnings }) => warnings.some(({ rule }) => rule != null));
}

/** A note if a keywords field was sent for a store without one, else none. `kwField` null or undefined: not sent. */
export function notesOnIgnoredFields(store: Store, kwField: string | null | undefined): string[] {
  const isIgnored = kwField != null && listingFields[store].every(({ key }) => key !== 'kw_field');
  return isIgnored ? [`kw_field was ignored: ${storeNames[store]} has no keywords field.`] : [];
}

/** Null: not sent. */
type Texts = Readonly<Record<ListingField['key'], string | null>>;

function normalizeDraft(draft: Draft): Texts {
  const normalize = (text: string | null | undefined) => (text == null ? null : normalizeNewlines(text));
  return {
    title: normalize(draft.title),
    subtitle: normalize(draft.subtitle),
    kw_field: normalize(draft.kw_field),
    description: normalize(draft.description),
  };
}

function checkField(
  store: Store,
  field: ListingField,
  text: string,
  { texts, lang }: { texts: Texts; lang: string },
): CheckedField {
  const { key, label, limit, isIndexed } = field;
  const { length } = text;
  return {
    field: key,
    store_field: label,
    indexed: isIndexed,
    length,
    limit,
    remaining: limit - length,
    over: length > limit,
    warnings: [
      ...checkForm(store, field, text),
      ...checkSigns(store, field, text),
      ...(key === 'kw_field' ? checkKeywords(text, readKeywords(text, lang), texts, lang) : []),
      ...checkWords(store, field, text),
    ],
  };
}
