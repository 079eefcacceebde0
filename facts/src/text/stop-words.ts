import { foldText } from './normalize-text.ts';
import { arabic } from './stop-words/arabic.ts';
import { chinese } from './stop-words/chinese.ts';
import { dutch } from './stop-words/dutch.ts';
import { english } from './stop-words/english.ts';
import { french } from './stop-words/french.ts';
import { german } from './stop-words/german.ts';
import { italian } from './stop-words/italian.ts';
import { japanese } from './stop-words/japanese.ts';
import { korean } from './stop-words/korean.ts';
import { portuguese } from './stop-words/portuguese.ts';
import { russian } from './stop-words/russian.ts';
import { spanish } from './stop-words/spanish.ts';
import { swedish } from './stop-words/swedish.ts';
import { turkish } from './stop-words/turkish.ts';

const noStopWords: ReadonlySet<string> = new Set();

const byLanguage: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['en', parseList(english)],
  ['fr', parseList(french)],
  ['de', parseList(german)],
  ['es', parseList(spanish)],
  ['pt', parseList(portuguese)],
  ['it', parseList(italian)],
  ['nl', parseList(dutch)],
  ['sv', parseList(swedish)],
  ['ja', parseList(japanese)],
  ['ko', parseList(korean)],
  ['zh', parseList(chinese)],
  ['ru', parseList(russian)],
  ['ar', parseList(arabic)],
  ['tr', parseList(turkish)],
]);

/**
 * The function words of a language (`the`, `of`, `und`, `の`), which people do not search for alone; in normal form.
 * Empty for a language without a list.
 * @param lang BCP 47. Only the language counts: `pt-BR` and `pt-PT` share one list, and Chinese has one list for both
 * scripts.
 */
export function stopWordsOf(lang: string): ReadonlySet<string> {
  return byLanguage.get(new Intl.Locale(lang).language) ?? noStopWords;
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
