import { normalizeText } from './normalize-text.ts';
import { segmentsOf } from './segments.ts';

/**
 * The words of a text in normal form, in order and with repeats. Scripts without spaces are segmented by dictionary;
 * `&`, emoji and punctuation are not words.
 * @param lang BCP 47
 */
export function wordsOf(text: string, lang: string): string[] {
  return segmentsOf(normalizeText(text, lang), lang).map((segment) => segment.word);
}
