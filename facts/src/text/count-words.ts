import { segmenterOf } from './by-language.ts';
import { normalizeText } from './normalize-text.ts';
import { cjkRun } from './scripts.ts';

/**
 * The number of words of a keyword. `Intl.Segmenter` finds the words; a run of Han, Kana and Hangul counts as half
 * its characters, rounded up. At least 1, so that a term without words, such as an emoji, counts as one.
 * (docs/scores.md, words)
 * @param lang BCP 47
 */
export function countWords(keyword: string, lang: string): number {
  const text = normalizeText(keyword, lang);
  let count = 0;
  for (const [run] of text.matchAll(cjkRun)) count += Math.ceil([...run].length / 2);
  for (const part of segmenterOf(lang).segment(text.replace(cjkRun, ' '))) {
    if (part.isWordLike) count++;
  }
  return Math.max(1, count);
}
