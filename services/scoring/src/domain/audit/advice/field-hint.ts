import { countUnits } from '@shelfwise/facts/stores/listing-fields';
import { nounFor } from '@shelfwise/runtime/noun-for';
import { isRead } from '../../keyword/search-status.ts';
import { isAimed } from '../audit-field.ts';
import type { FieldCoverage } from '../axes/coverage.ts';
import { isEarning } from '../axes/word-table.ts';
import { isContent } from '../words/word-kind.ts';

/** If less than this share of the limit is used, the hint mentions the free room. */
const roomyShare = 0.6;

/** The most important advice about a field, in one or two sentences; null when there is nothing to say. */
export function fieldHint(field: FieldCoverage): string | null {
  if (field.state === 'missing') return missingHint(field);
  const excess = countUnits(field.text) - field.limit;
  if (excess > 0) return excessHint(field, excess);
  if (!field.isIndexed)
    return 'The store does not index this text: it only has to convince those who read it.';
  if (field.state === 'empty') return `Empty: there is room for ${field.limit} characters of searched words.`;
  return wordsHint(field) ?? roomHint(field, -excess);
}

/** A live text can exceed today's limit: the store checks a text only when it is submitted. */
function excessHint({ limit }: FieldCoverage, excess: number): string {
  return `${excess} ${nounFor(excess, 'character')} over the limit of ${limit}. The store refuses a text of this length: the next update has to shorten it.`;
}

function missingHint(field: FieldCoverage): string {
  return field.key === 'kw_field'
    ? 'The store never shows this field. Keep it on the page Listing of the dashboard or with PUT /api/v1/applications/{id}/keywords-field, or send it with a simulation.'
    : 'This field has not been read yet.';
}

function wordsHint(field: FieldCoverage): string | null {
  const { words } = field;
  const count = (status: string) => words.filter((word) => word.status === status).length;
  if (count('pending') > 0) return pendingHint(field, count('pending'));
  if (count('missing') > 0) return absentHint(count('missing'));
  if (!words.some(isEarning) && count('covered') === 0) return idleHint(field);
  const { repeats, names } = countUsed(words);
  if (repeats > 0) return `Already used in an earlier field: ${formatWordCount(repeats)}.`;
  return names > 0 && isAimed(field) ? namesHint(names) : null;
}

/** Only Google Play's long description has missing words: ones that the name or the short description is credited for. */
function absentHint(count: number): string {
  const verb = count === 1 ? 'is' : 'are';
  return `${formatWordCount(count)} of the name or short description ${verb} missing here.`;
}

/**
 * Splits the already-used words: `repeats` are credited elsewhere. `names`, in the keywords field, are the developer's or the
 * category's name, by which the store finds the app anyway.
 */
function countUsed(words: FieldCoverage['words']): { repeats: number; names: number } {
  const used = words.filter(({ status }) => status === 'already-used');
  const repeats = used.filter(({ isIndexedAnyway }) => !isIndexedAnyway).length;
  return { repeats, names: used.length - repeats };
}

function namesHint(count: number): string {
  const predicate =
    count === 1
      ? 'is the category’s or the developer’s name: it earns'
      : 'are the category’s or the developer’s name: they earn';
  return `${formatWordCount(count)} ${predicate} nothing.`;
}

/**
 * For a field in which no word earns or is `pending`. A word that an earlier field already uses has the status
 * `already-used`, but its result page may still be unread.
 */
function idleHint(field: FieldCoverage): string {
  const unread = field.words.filter((word) => isContent(word.kind) && !isRead(word));
  if (unread.length > 0) return pendingHint(field, unread.length);
  return 'No word in it helps in search: each is not searched for, already in an earlier field, or the category’s or the developer’s name.';
}

function pendingHint({ score }: FieldCoverage, count: number): string {
  const consequence =
    score === null ? 'The field is scored once most of its words are.' : 'The score can still change.';
  return `Not measured yet: ${formatWordCount(count)}. ${consequence}`;
}

/** No hint for a long description: it need not fill its limit. */
function roomHint({ key, limit }: FieldCoverage, free: number): string | null {
  const isRoomy = key !== 'description' && free > (1 - roomyShare) * limit;
  return isRoomy ? `Room for ${free} more characters.` : null;
}

function formatWordCount(count: number): string {
  return `${count} ${nounFor(count, 'word')}`;
}
