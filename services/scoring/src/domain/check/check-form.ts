import type { ListingField } from '@shelfwise/facts/listing-fields';
import { type Store, storeNames } from '@shelfwise/facts/store';
import type { CheckWarning } from '@shelfwise/proto/scoring/v1/scoring';
import { remark } from './check-warning.ts';

/** The App Store refuses a shorter name. Source: its field limits. */
const minAppStoreName = 2;

/**
 * Length and blanks of one text, in any field of any store.
 * @param text with each line break as one LF
 */
export function checkForm(store: Store, field: ListingField, text: string): CheckWarning[] {
  return [...checkLength(store, field, text), ...checkBlanks(field, text)];
}

function checkLength(store: Store, { key, label, limit }: ListingField, text: string): CheckWarning[] {
  const { length } = text;
  if (key === 'title' && text.trim() === '') return [remark('error', `The ${label} is empty.`)];
  if (key === 'title' && store === 'ITUNES' && length < minAppStoreName)
    return [remark('error', `The ${label} must have ${minAppStoreName} characters at least.`)];
  if (length <= limit) return [];
  const excess = `${length - limit} more than the ${limit} that ${storeNames[store]} takes`;
  return [remark('error', `The ${label} has ${length} characters, ${excess}.`)];
}

function checkBlanks({ key, label }: ListingField, text: string): CheckWarning[] {
  const remarks: CheckWarning[] = [];
  if (text.trim() === '') return remarks;
  if (text !== text.trim()) remarks.push(remark('warning', `The ${label} begins or ends with a blank.`));
  if (/[\p{Zs}\t]{2}/u.test(text.trim())) remarks.push(remark('warning', `The ${label} has doubled blanks.`));
  if (key !== 'description' && text.trim().includes('\n'))
    remarks.push(remark('warning', `The ${label} is one line: the store shows its line breaks as blanks.`));
  return remarks;
}
