import { normalizeText } from './normalize-text.ts';
import { segmentsOf } from './segments.ts';

/**
 * The words of a text in normal form, in order and with repeats. Scripts without spaces are segmented by dictionary;
 * `&`, emoji and punctuation are not words.
 * @param lang BCP 47
 */
export function wordsOf(text: string, lang: string): string[] {
  if (plainWords.test(text)) return text.split(' ');
  return segmentsOf(normalizeText(text, lang), lang).map((segment) => segment.word);
}

/** Letters of Western Europe in lower case and digits, with single spaces: no language splits or changes them otherwise. */
const plainWords =
  /^[a-z0-9\u00df-\u00f6\u00f8-\u00ff]{1,50}(?: [a-z0-9\u00df-\u00f6\u00f8-\u00ff]{1,50}){0,9}$/;
