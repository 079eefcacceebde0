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

const none: ReadonlySet<string> = new Set();

const byLanguage: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['en', listed(english)],
  ['fr', listed(french)],
  ['de', listed(german)],
  ['es', listed(spanish)],
  ['pt', listed(portuguese)],
  ['it', listed(italian)],
  ['nl', listed(dutch)],
  ['sv', listed(swedish)],
  ['ja', listed(japanese)],
  ['ko', listed(korean)],
  ['zh', listed(chinese)],
  ['ru', listed(russian)],
  ['ar', listed(arabic)],
  ['tr', listed(turkish)],
]);

/**
 * The function words of a language (`the`, `of`, `und`, `の`), in normal form; empty for a language that has no list.
 * @param lang BCP 47; only its language counts: `pt-BR` and `pt-PT` share one list, Chinese has both scripts in one
 */
export function stopWordsOf(lang: string): ReadonlySet<string> {
  return byLanguage.get(new Intl.Locale(lang).language) ?? none;
}

/** Folded too, because a text in capitals loses its letters: `AUSSER` is read as `ausser`. */
function listed(words: string): ReadonlySet<string> {
  return new Set(
    words
      .trim()
      .split(/\s+/u)
      .flatMap((word) => [word, foldText(word)]),
  );
}
