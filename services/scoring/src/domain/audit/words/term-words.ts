import { commonFormsOf } from '@shelfwise/facts/text/common-words';
import { stopWordsOf } from '@shelfwise/facts/text/stop-words';
import { createFormOf } from '../../text/form-of.ts';
import { createTextReader, type TextReader } from './text-reader.ts';

/** How the terms of one audit are compared: by the forms of their words. Keywords are in normal form. */
export type TermWords = TextReader & {
  /** Of a word or a whole term: what its spellings have in common. */
  formOf: (keyword: string) => string;
  /** The forms of all words of a term, in order. */
  formsIn: (keyword: string) => readonly string[];
  /** Its content words: those that are no stop words. */
  contentWordsOf: (keyword: string) => readonly string[];
  /** The forms of its content words. */
  contentOf: (keyword: string) => readonly string[];
  /** Whether all content words of a term are common: found in so many descriptions that they say nothing about an app. */
  isCommon: (keyword: string) => boolean;
};

type ReadWords = { forms: string[]; contentWords: string[]; content: string[] };

/** Each term is segmented once, because segmenting costs more than all else. @param lang BCP 47 */
export function createTermWords(lang: string, reader: TextReader = createTextReader(lang)): TermWords {
  const formOf = createFormOf(lang);
  const stopWords = stopWordsOf(lang);
  const commonForms = commonFormsOf(lang);
  const known = new Map<string, ReadWords>();
  const read = (keyword: string) => {
    const found = known.get(keyword);
    if (found) return found;
    const term: ReadWords = { forms: [], contentWords: [], content: [] };
    for (const word of reader.wordsIn(keyword)) {
      const form = formOf(word);
      term.forms.push(form);
      if (stopWords.has(word)) continue;
      term.contentWords.push(word);
      term.content.push(form);
    }
    known.set(keyword, term);
    return term;
  };
  return {
    wordsIn: reader.wordsIn,
    phrasesIn: reader.phrasesIn,
    formOf,
    formsIn: (keyword) => read(keyword).forms,
    contentWordsOf: (keyword) => read(keyword).contentWords,
    contentOf: (keyword) => read(keyword).content,
    isCommon: (keyword) => read(keyword).content.every((form) => commonForms.has(form)),
  };
}
