import type { ListingField } from '@shelfwise/facts/stores/listing-fields';
import type { Store } from '@shelfwise/facts/stores/store';
import { hasInvalidCharacters } from '@shelfwise/facts/text/invalid-characters';
import { findInvisible } from '@shelfwise/facts/text/invisible-characters';
import type { CheckWarning } from '@shelfwise/proto/scoring/v1/scoring';
import { createWarning, fieldName, list } from './check-warning.ts';

/** `checkForm` reports NUL as invalid. */
const control = /(?!\0)\p{Cc}/gu;
const controlInDescription = /(?![\0\n\t])\p{Cc}/gu;
/** The blank of Braille, and the separators of lines and paragraphs, which stores do not show as line breaks. */
const looksLikeBlank = /[\u2800\p{Zl}\p{Zp}]/gu;
/** Emoji that are newer than this program's Unicode are unassigned to it, but they are pictographs. */
const unassigned = /(?![\p{Default_Ignorable_Code_Point}\p{Extended_Pictographic}])\p{Cn}/gu;

/**
 * Checks the characters of one text that are invisible or have no meaning of their own. Each message names their code
 * points.
 * @param text with each line break as one LF
 */
export function checkCharacters(store: Store, field: ListingField, text: string): CheckWarning[] {
  const name = fieldName(field);
  const warnings: CheckWarning[] = [];
  if (hasInvalidCharacters(text)) {
    const what = 'invalid characters (NUL or half of a surrogate pair)';
    warnings.push(createWarning('error', `The ${name} has ${what}: send plain text.`));
  }
  return [
    ...warnings,
    ...checkControls(store, field, text),
    ...warn(
      [...findInvisible(text).filter((found) => !/\p{Cc}/u.test(found)), ...once(text.match(looksLikeBlank))],
      `The ${name} has invisible characters, which count towards its length and can break words for the store’s search`,
    ),
    ...warn(
      once(text.match(/\p{Co}/gu)),
      `The ${name} has private characters, which look different or are missing on other devices`,
    ),
    ...warn(once(text.match(unassigned)), `The ${name} has unassigned characters, which show nothing`),
  ];
}

function checkControls(store: Store, field: ListingField, text: string): CheckWarning[] {
  const found = once(text.match(field.key === 'description' ? controlInDescription : control));
  if (store === 'ITUNES') {
    if (found.length === 0) return [];
    const message = `App Store Connect refuses control characters in the ${fieldName(field)}: ${codes(found)}.`;
    return [createWarning('error', message)];
  }
  // `checkForm` says what Google Play does with line breaks.
  return warn(
    found.filter((character) => character !== '\n'),
    `Google Play may refuse control characters in the ${fieldName(field)}`,
  );
}

function warn(found: readonly string[], what: string): CheckWarning[] {
  return found.length > 0 ? [createWarning('warning', `${what}: ${codes(found)}.`)] : [];
}

/** `U+200B, U+FEFF and 3 more` */
function codes(characters: readonly string[]): string {
  return list(
    characters.map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`),
  );
}

function once(found: readonly string[] | null): string[] {
  return [...new Set(found)];
}
