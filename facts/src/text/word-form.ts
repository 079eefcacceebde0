import { languageOf } from './by-language.ts';
import { foldWithoutPunctuation } from './normalize-text.ts';

/**
 * The one table of forms: which spellings of a word are equal where texts are compared. Never used for keyword ids or
 * normal forms. (docs/scores.md, words)
 */

/** A Latin or Greek letter with its marks, after decomposition. Kana voicing marks and Indic signs are not accents. */
const accented = /([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;
const isBeyondAscii = /[\u0080-\uffff]/u;

const germanLetters: ReadonlyMap<string, string> = new Map([
  ['ä', 'ae'],
  ['ö', 'oe'],
  ['ü', 'ue'],
]);
const germanLetter = /[äöü]/gu;
const hasGermanLetter = /[äöü]/u;

/** The short vowels, their doubled forms, the doubling of a consonant, the missing vowel, and the small alef. */
const arabicVowelMarks = /[\u064b-\u0652\u0670]/gu;
/** What a mark without a letter leaves behind. */
const spareSpaces = /^ | $| (?= )/g;
const arabicLetters: ReadonlyMap<string, string> = new Map([
  ['أ', 'ا'],
  ['إ', 'ا'],
  ['آ', 'ا'],
  ['ى', 'ي'],
  ['ة', 'ه'],
]);
const arabicLetter = /[أإآىة]/gu;
/**
 * Repeated, so that `ألعاب`, `العاب` and `الألعاب` are one: after folding, the first two begin like an
 * article.
 */
const arabicArticles = /(?<=^| )(?:ال)+(?=\p{L}{3})/gu;

/** In UTF-16 units; longer texts are cut when they are folded. */
const longestTerm = 200;
/** Words of small ASCII letters and digits, and letters of Chinese, Japanese and Korean: nothing of them is folded. */
const isFolded =
  /^(?:[a-z0-9]+(?: [a-z0-9]+)*|[\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff\uac00-\ud7a3]+)$/;

/**
 * The folded text without punctuation and without the accents of Latin and Greek letters: `Pokémon` equals `pokemon`. In
 * German `ä`, `ö` and `ü` are `ae`, `oe` and `ue`; `ß` is `ss` in every language. Arabic has no vowel marks, one alef, one
 * ya, `ه` for `ة`, and no article before three letters or more. For comparison only; folding twice changes nothing more.
 * (docs/scores.md, words)
 * @param lang BCP 47
 */
export function foldForComparison(text: string, lang: string): string {
  if (text.length <= longestTerm && isFolded.test(text)) return text;
  const folded = foldWithoutPunctuation(text);
  if (!isBeyondAscii.test(folded)) return folded;
  // The language is read last: this costs more than the rest.
  const isGerman = hasGermanLetter.test(folded) && languageOf(lang) === 'de';
  const spelled = isGerman
    ? folded.replace(germanLetter, (letter) => germanLetters.get(letter) ?? letter)
    : folded;
  return foldArabic(spelled.normalize('NFD').replace(accented, '$1').normalize('NFC'));
}

function foldArabic(text: string): string {
  return text
    .replace(arabicVowelMarks, '')
    .replace(spareSpaces, '')
    .replace(arabicLetter, (letter) => arabicLetters.get(letter) ?? letter)
    .replace(arabicArticles, '');
}

/** `last`: the last letter of the ending: most words have another one, and to compare it takes less time. */
type Ending = readonly [last: string, ending: RegExp, replacement: string];

/** Of a word of four letters or more; not of `ss`, `us`, `is`, which are hardly plurals. */
const finalS: Ending = ['s', /^(?!news$)(\p{L}{2,}(?!ss$|us$|is$)\p{L})s$/u, '$1'];

/**
 * By language: endings that the singular and the plural of a word do not share, and what replaces them, one after the other.
 * Both forms are shortened: `cache` and `caches` are `cach`, `movie` and `movies` are `movy`.
 */
const endings: ReadonlyMap<string, readonly Ending[]> = new Map([
  ['en', [finalS, ['e', /ie$/u, 'y'], ['e', /(?<=ch|sh|x|ss)e$/u, '']]],
  ['fr', [finalS]],
  ['es', [finalS, ['e', /(?<=(?![aeiou])\p{L})e$/u, ''], ['c', /c$/u, 'z']]],
  ['pt', [finalS]],
  ['nl', [finalS]],
]);

/**
 * Returns the form in which words of a language are compared: singular and plural have one. English, French, Spanish,
 * Portuguese and Dutch words of four letters or more lose a final `s` (`games` equals `game`; `news`, `bus`, `chess` and
 * `tennis` stay). Then English and Spanish words lose what differs in other plurals: `stories` equals `story`, `voces`
 * equals `voz`. Words of other languages stay as they are. (docs/scores.md, words)
 * @param lang BCP 47
 */
export function createWordForms(lang: string): (foldedWord: string) => string {
  const rules = endings.get(languageOf(lang)) ?? [];
  return (word) =>
    rules.reduce(
      (form, [last, ending, replacement]) => (form.endsWith(last) ? form.replace(ending, replacement) : form),
      word,
    );
}

/**
 * The forms of the words of a folded text, with its single spaces.
 * @param text from `foldForComparison`
 */
export function formsOf(text: string, formOf: (foldedWord: string) => string): string {
  return text.split(' ').map(formOf).join(' ');
}

/**
 * What all forms of a text have in common: two terms are forms of each other if this is equal. Empty for a text without
 * letters and digits, such as an emoji.
 * @param lang BCP 47
 */
export function commonForm(text: string, lang: string): string {
  return formsOf(foldForComparison(text, lang), createWordForms(lang));
}
