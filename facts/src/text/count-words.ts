import { normalizeText } from './normalize-text.ts';
import { cjkRun } from './scripts.ts';

/**
 * How many words a keyword counts for: those of `Intl.Segmenter`, where a run of Han, Kana and Hangul counts half its
 * characters, rounded up. At least 1, so that a term without any word, such as an emoji, is one. (spec: scoring, words(k))
 * @param lang BCP 47
 */
export function countWords(keyword: string, lang: string): number {
  const text = normalizeText(keyword, lang);
  let count = 0;
  for (const [run] of text.matchAll(cjkRun)) count += Math.ceil([...run].length / 2);
  for (const part of new Intl.Segmenter(lang, { granularity: 'word' }).segment(text.replace(cjkRun, ' '))) {
    if (part.isWordLike) count++;
  }
  return Math.max(1, count);
}
