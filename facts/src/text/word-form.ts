import { foldWithoutPunctuation } from './normalize-text.ts';

/** A Latin or Greek letter with its marks, after decomposition. Kana voicing marks and Indic signs are not accents. */
const accented = /([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;
const hasAccent = /[\u0080-\uffff]/u;

/**
 * The folded text without punctuation and without the accents of Latin and Greek letters: `Pokémon` equals `pokemon`.
 * For comparison only. (docs/scores.md, words)
 */
export function foldForComparison(text: string): string {
  const folded = foldWithoutPunctuation(text);
  return hasAccent.test(folded) ? folded.normalize('NFD').replace(accented, '$1').normalize('NFC') : folded;
}

/** Languages whose plurals end in `s`. */
const pluralLanguages: ReadonlySet<string> = new Set(['en', 'fr', 'es', 'pt', 'nl']);
/** Four letters or more with a final `s` that may be that of a plural: not `ss`, `us`, `is`. */
const mayBePlural = /^\p{L}{2,}(?!ss$|us$|is$)\p{L}s$/u;

/**
 * Returns the form in which words of a language are compared: without the final `s` of a plural, in English, French,
 * Spanish, Portuguese and Dutch, for words of four letters or more (`games` equals `game`; `news`, `bus`, `chess` and
 * `tennis` stay as they are). For comparison only. (docs/scores.md, words)
 * @param lang BCP 47
 */
export function createWordForms(lang: string): (foldedWord: string) => string {
  if (!pluralLanguages.has(new Intl.Locale(lang).language)) return (word) => word;
  return (word) => (word !== 'news' && mayBePlural.test(word) ? word.slice(0, -1) : word);
}

/**
 * The forms of the words of a folded text, with its single spaces.
 * @param text from `foldForComparison`
 */
export function formsOf(text: string, formOf: (foldedWord: string) => string): string {
  return text.split(' ').map(formOf).join(' ');
}
