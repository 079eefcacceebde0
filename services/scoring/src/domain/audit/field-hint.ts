import { countUnits } from '@shelfwise/facts/stores/listing-fields';
import { isAimed } from './audit-field.ts';
import type { FieldCoverage } from './coverage.ts';
import { isContent } from './word-kind.ts';
import { isEarning } from './word-table.ts';

/** If less than this share of the limit is used, the hint mentions the free room. */
const roomyShare = 0.6;

/** The most important hint about a field, in a short text; null when there is nothing to say. */
export function fieldHint(field: FieldCoverage): string | null {
  if (field.state === 'missing') return missingHint(field);
  const excess = countUnits(field.text) - field.limit;
  if (excess > 0) return excessHint(field, excess);
  if (!field.isIndexed)
    return 'The store does not index this text: it only has to convince those who read it.';
  if (field.state === 'empty') return `Empty: there is room for ${field.limit} characters of searched words.`;
  return wordsHint(field) ?? roomHint(field, -excess);
}

/** A live listing can exceed the limit: the store checks a text only when it is submitted. */
function excessHint({ limit }: FieldCoverage, excess: number): string {
  return `${excess} over the limit of ${limit} characters. The store refuses a text of this length: the next update has to shorten it.`;
}

function missingHint(field: FieldCoverage): string {
  return field.key === 'kw_field'
    ? 'The store never shows this field: send it with a simulation to have it scored.'
    : 'This field has not been read yet.';
}

function wordsHint(field: FieldCoverage): string | null {
  const { words } = field;
  const count = (status: string) => words.filter((word) => word.status === status).length;
  if (count('pending') > 0) return pendingHint(count('pending'));
  if (count('missing') > 0) return `Missing here: ${inWords(count('missing'))} credited to other fields.`;
  if (!words.some(isEarning) && count('covered') === 0) return idleHint(words);
  const [repeats, names] = usedWords(words);
  if (repeats > 0) return `Already used in an earlier field: ${inWords(repeats)}.`;
  return names > 0 && isAimed(field) ? namesHint(names) : null;
}

/** How many words an earlier field carries, and how many are names that the store finds the app by anyway. */
function usedWords(words: FieldCoverage['words']): [repeats: number, names: number] {
  const used = words.filter(({ status }) => status === 'already-used');
  const repeats = used.filter(({ kind }) => isContent(kind)).length;
  return [repeats, used.length - repeats];
}

function namesHint(count: number): string {
  const earning =
    count === 1
      ? 'is the category’s or the developer’s name: it earns'
      : 'are the category’s or the developer’s name: they earn';
  return `${inWords(count)} ${earning} nothing.`;
}

/** The demand for a word that an earlier field already uses may also be unknown. */
function idleHint(words: FieldCoverage['words']): string {
  const unread = words.filter(({ kind, searchStatus }) => isContent(kind) && searchStatus === 'pending');
  return unread.length > 0 ? pendingHint(unread.length) : 'No word in it earns anything.';
}

function pendingHint(count: number): string {
  return `Not measured yet: ${inWords(count)}. The score can still change.`;
}

/** No hint for a long description: it need not fill its limit. */
function roomHint({ key, limit }: FieldCoverage, free: number): string | null {
  const isRoomy = key !== 'description' && free > (1 - roomyShare) * limit;
  return isRoomy ? `Room for ${free} more characters.` : null;
}

function inWords(count: number): string {
  return count === 1 ? '1 word' : `${count} words`;
}
