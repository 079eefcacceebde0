import type { ListingField } from '@shelfwise/facts/stores/listing-fields';
import { type Store, storeInSentence } from '@shelfwise/facts/stores/store';
import { isBlank } from '@shelfwise/facts/text/invisible-characters';
import type { CheckWarning } from '@shelfwise/proto/scoring/v1/scoring';
import { checkCharacters } from './check-characters.ts';
import { createWarning, fieldName } from './check-warning.ts';

/** The App Store refuses a shorter name. Source: the store's field limits. */
const minAppStoreName = 2;

/**
 * Checks the length, blanks and characters of one text, in any field of any store.
 * @param text with each line break as one LF
 */
export function checkForm(store: Store, field: ListingField, text: string): CheckWarning[] {
  return [
    ...checkLength(store, field, text),
    ...checkCharacters(store, field, text),
    ...checkBlanks(store, field, text),
  ];
}

function checkLength(store: Store, field: ListingField, text: string): CheckWarning[] {
  const { key, label, limit } = field;
  const { length } = text;
  if (key === 'title' && isBlank(text)) return [createWarning('error', `The ${label} is empty.`)];
  if (key === 'title' && store === 'ITUNES' && length < minAppStoreName)
    return [createWarning('error', `The ${label} must have at least ${minAppStoreName} characters.`)];
  if (length <= limit) return [];
  const excess = `${length - limit} more than the ${limit} that ${storeInSentence(store)} takes`;
  return [createWarning('error', `The ${fieldName(field)} has ${length} characters, ${excess}.`)];
}

function checkBlanks(store: Store, field: ListingField, text: string): CheckWarning[] {
  const name = fieldName(field);
  const warnings: CheckWarning[] = [];
  const trimmed = text.trim();
  if (trimmed === '') return warnings;
  if (text !== trimmed)
    warnings.push(createWarning('warning', `The ${name} starts or ends with white space.`));
  if (/[\p{Zs}\t]{2}/u.test(trimmed))
    warnings.push(createWarning('warning', `The ${name} has double spaces.`));
  // On the App Store a line break in such a field is a control character, which is refused.
  if (field.key !== 'description' && store === 'GPLAY' && trimmed.includes('\n'))
    warnings.push(
      createWarning('warning', `The ${name} is one line: the store shows its line breaks as spaces.`),
    );
  return warnings;
}
