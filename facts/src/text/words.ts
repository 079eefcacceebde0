import { normalizeText } from './normalize-text.ts';
import { createSegments } from './segments.ts';

/**
 * The words of a text in normal form, in order and with repeats. Scripts without spaces are segmented by dictionary;
 * `&`, emoji and punctuation are not words.
 * @param lang BCP 47
 */
export function wordsOf(text: string, lang: string): string[] {
  return plainWords.test(text) ? text.split(' ') : createWordsOf(lang)(text);
}

/** The same for many short texts, which then cost a third. @param lang BCP 47 */
export function createWordsOf(lang: string): (text: string) => string[] {
  const segmentsOf = createSegments(lang);
  return (text) => {
    if (plainWords.test(text)) return text.split(' ');
    return segmentsOf(normalizeText(text, lang)).map((segment) => segment.word);
  };
}

/** Letters of Western Europe in lower case and digits, with single spaces: no language splits or changes them otherwise. */
const plainWords =
  /^[a-z0-9\u00df-\u00f6\u00f8-\u00ff]{1,50}(?: [a-z0-9\u00df-\u00f6\u00f8-\u00ff]{1,50}){0,9}$/;
