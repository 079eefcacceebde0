import { normalizeText } from '@shelfwise/facts/text/normalize-text';
import { isUnspaced } from '@shelfwise/facts/text/scripts';

/** Separates the name of an app from its description; a hyphen within a word does not. */
const separator = /[:|•·,、;(–—]|\s[-‐]\s/u;
/** Next to letters of scripts without spaces between words, a space separates too: `習慣化・記録 Daily Willow`. */
const closeSeparator = new RegExp(`${separator.source}|(?<=[\\p{Lo}ー])[・\\s]|[・\\s](?=\\p{Lo})`, 'u');

/** A title up to its first separator. @param lang BCP 47 */
export function titleHead(title: string, lang: string): string {
  return normalizeText(title.trim(), lang).split(separator, 1)[0] ?? '';
}

/** All parts of a title, in its order: `Streakly`, `Habit Tracker`. @param lang BCP 47 */
export function titleParts(title: string, lang: string): string[] {
  const text = normalizeText(title, lang);
  return text.split([...text].some(isUnspaced) ? closeSeparator : separator);
}
