import type { CheckWarning } from '@shelfwise/proto/scoring/v1/scoring';
import { createWarning, quote } from './check-warning.ts';

/** Longest word in capitals that is taken for a name ("VSCO", "NASA"), in letters. */
const longestAcronym = 4;

/**
 * Checks capitals in Google Play's app name. A name of two words or more that is all in capitals is refused, unless
 * every word is as short as in "AI PDF". Any other long word in capitals is a warning. Words without letters, short
 * words with a digit ("3D") and scripts without capitals are ignored.
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
