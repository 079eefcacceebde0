import { languageOf } from './by-language.ts';
import { foldText } from './normalize-text.ts';
import { stopWordLists } from './stop-word-lists.ts';

const noStopWords: ReadonlySet<string> = new Set();

const byLanguage: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(stopWordLists).map(([language, words]) => [language, parseList(words)]),
);

/**
 * The function words of a language (`the`, `of`, `und`, `の`), which people do not search for alone; in normal form.
 * Empty for a language without a list.
 * @param lang BCP 47. Only the language counts: `pt-BR` and `pt-PT` share one list, and Chinese has one list for both
 * scripts.
 */
export function stopWordsOf(lang: string): ReadonlySet<string> {
  return byLanguage.get(languageOf(lang)) ?? noStopWords;
}

/** Includes the folded words, because capitals change some letters: `AUSSER` becomes `ausser`. */
function parseList(words: string): ReadonlySet<string> {
  return new Set(
    words
      .trim()
      .split(/\s+/u)
      .flatMap((word) => [word, foldText(word)]),
  );
}
