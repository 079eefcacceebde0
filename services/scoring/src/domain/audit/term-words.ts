import { commonFormsOf } from '@shelfwise/facts/text/common-words';
import { stopWordsOf } from '@shelfwise/facts/text/stop-words';
import { wordsOf } from '@shelfwise/facts/text/words';
import { createFormOf } from '../text/form-of.ts';

/** How the terms of one audit are compared: by the forms of their words. Keywords are in normal form. */
export type TermWords = {
  /** Of a word or a whole term: what its spellings have in common. */
  formOf: (keyword: string) => string;
  /** All words of a text, in order and with repeats (`wordsOf`). */
  wordsIn: (text: string) => readonly string[];
  /** The forms of these words. */
  formsIn: (text: string) => readonly string[];
  /** Its content words: those that are no stop words. */
  contentWordsOf: (keyword: string) => readonly string[];
  /** The forms of its content words. */
  contentOf: (keyword: string) => readonly string[];
  /** Whether all content words of a term are common: found in so many descriptions that they say nothing about an app. */
  isCommon: (keyword: string) => boolean;
};

type ReadWords = { words: string[]; forms: string[]; contentWords: string[]; content: string[] };

/** Each term or text is segmented once, because segmenting costs more than all else. @param lang BCP 47 */
export function createTermWords(lang: string): TermWords {
  const formOf = createFormOf(lang);
  const stopWords = stopWordsOf(lang);
  const commonForms = commonFormsOf(lang);
  const known = new Map<string, ReadWords>();
  const read = (keyword: string) => {
    const found = known.get(keyword);
    if (found) return found;
    const words = wordsOf(keyword, lang);
    const contentWords = words.filter((word) => !stopWords.has(word));
    const term = { words, forms: words.map(formOf), contentWords, content: contentWords.map(formOf) };
    known.set(keyword, term);
    return term;
  };
  return {
    formOf,
    wordsIn: (text) => read(text).words,
    formsIn: (text) => read(text).forms,
    contentWordsOf: (keyword) => read(keyword).contentWords,
    contentOf: (keyword) => read(keyword).content,
    isCommon: (keyword) => read(keyword).content.every((form) => commonForms.has(form)),
  };
}
