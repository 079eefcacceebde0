import { phrasesOf } from '@shelfwise/facts/text/phrases';
import { wordsOf } from '@shelfwise/facts/text/words';

/** The maximum number of words in a phrase that counts as a search term of a listing. (docs/scores.md, targeting) */
export const maxPhraseWords = 3;

/** Texts are read by their words and phrases, each text once. */
export type TextReader = {
  /** as `wordsOf` */
  wordsIn: (text: string) => readonly string[];
  /** as `phrasesOf`, of up to 3 words */
  phrasesIn: (text: string) => readonly string[];
};

/** @param lang BCP 47 */
export function createTextReader(lang: string): TextReader {
  const words = new Map<string, readonly string[]>();
  const phrases = new Map<string, readonly string[]>();
  return {
    wordsIn: (text) => remember(words, text, () => wordsOf(text, lang)),
    phrasesIn: (text) => remember(phrases, text, () => phrasesOf(text, lang, maxPhraseWords)),
  };
}

function remember<Value>(known: Map<string, Value>, key: string, compute: () => Value): Value {
  const found = known.get(key);
  if (found !== undefined) return found;
  const value = compute();
  known.set(key, value);
  return value;
}
