import type { CheckWarning } from '@shelfwise/proto/scoring/v1/scoring';
import { createWarning, quote } from './check-warning.ts';

/** "VSCO" and "NASA" are names; a longer word in capitals shouts. In letters. */
const longestAcronym = 4;

/**
 * Capitals in Google Play's app name: a whole name of two words or more is refused, unless all are as short as "AI PDF"; one
 * longer word may be. Words without letters, short ones with a digit ("3D") and scripts without capitals, play no part.
 */
export function checkCapitals(label: string, title: string): CheckWarning[] {
  const words = title.split(/\s+/u).filter(isCounted);
  const shouted = words.filter((word) => /\p{Lu}/u.test(word) && !/\p{Ll}|\p{Lo}/u.test(word));
  const long = shouted.filter((word) => countLetters(word) > longestAcronym);
  if (long.length === 0) return [];
  if (words.length > 1 && shouted.length === words.length)
    return [createWarning('error', `The ${label} is all in capitals, which Google Play refuses.`)];
  const message = `Google Play accepts words in capitals in the ${label} only if they are the brand: ${quote(long)}.`;
  return [createWarning('warning', message)];
}

function isCounted(word: string): boolean {
  const letters = countLetters(word);
  return letters > longestAcronym || (letters > 0 && !/\p{Nd}/u.test(word));
}

function countLetters(word: string): number {
  return word.match(/\p{L}/gu)?.length ?? 0;
}
