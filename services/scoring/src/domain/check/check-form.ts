import type { ListingField } from '@shelfwise/facts/stores/listing-fields';
import { type Store, storeInSentence } from '@shelfwise/facts/stores/store';
import { hasInvalidCharacters } from '@shelfwise/facts/text/invalid-characters';
import type { CheckWarning } from '@shelfwise/proto/scoring/v1/scoring';
import { createWarning, fieldName } from './check-warning.ts';

/** The App Store refuses a shorter name. Source: the store's field limits. */
const minAppStoreName = 2;

/**
 * Checks the length, blanks and invalid characters of one text, in any field of any store.
 * @param text with each line break as one LF
 */
export function checkForm(store: Store, field: ListingField, text: string): CheckWarning[] {
  return [...checkLength(store, field, text), ...checkCharacters(field, text), ...checkBlanks(field, text)];
}

function checkLength(store: Store, field: ListingField, text: string): CheckWarning[] {
  const { key, label, limit } = field;
  const { length } = text;
  if (key === 'title' && text.trim() === '') return [createWarning('error', `The ${label} is empty.`)];
  if (key === 'title' && store === 'ITUNES' && length < minAppStoreName)
    return [createWarning('error', `The ${label} must have at least ${minAppStoreName} characters.`)];
  if (length <= limit) return [];
  const excess = `${length - limit} more than the ${limit} that ${storeInSentence(store)} takes`;
  return [createWarning('error', `The ${fieldName(field)} has ${length} characters, ${excess}.`)];
}

function checkCharacters(field: ListingField, text: string): CheckWarning[] {
  if (!hasInvalidCharacters(text)) return [];
  return [
    createWarning(
      'error',
      `The ${fieldName(field)} has invalid characters (NUL or half of a surrogate pair): send plain text.`,
    ),
  ];
}

function checkBlanks(field: ListingField, text: string): CheckWarning[] {
  const name = fieldName(field);
  const warnings: CheckWarning[] = [];
  if (text.trim() === '') return warnings;
  if (text !== text.trim())
    warnings.push(createWarning('warning', `The ${name} starts or ends with white space.`));
  if (/[\p{Zs}\t]{2}/u.test(text.trim()))
    warnings.push(createWarning('warning', `The ${name} has double spaces.`));
  if (field.key !== 'description' && text.trim().includes('\n'))
    warnings.push(
      createWarning('warning', `The ${name} is one line: the store shows its line breaks as spaces.`),
    );
  return warnings;
}
