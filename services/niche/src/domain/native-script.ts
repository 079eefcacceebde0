import { createByLanguage, scriptOf } from '@shelfwise/facts/text/by-language';

/** The letters of a language in addition to Latin ones, by script code. */
const letters: ReadonlyMap<string, string> = new Map([
  ['Latn', ''],
  ['Cyrl', '\\p{Script=Cyrillic}'],
  ['Grek', '\\p{Script=Greek}'],
  ['Hebr', '\\p{Script=Hebrew}'],
  ['Arab', '\\p{Script=Arabic}'],
  ['Deva', '\\p{Script=Devanagari}'],
  ['Thai', '\\p{Script=Thai}'],
  ['Jpan', '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}'],
  ['Kore', '\\p{Script=Han}\\p{Script=Hangul}'],
  ['Hans', '\\p{Script=Han}'],
  ['Hant', '\\p{Script=Han}'],
]);

/** Finds a letter that is neither Latin nor of the language; null for a language whose script is not listed. */
const foreignLetterOf = createByLanguage((lang) => {
  const own = letters.get(scriptOf(lang));
  if (own === undefined) return null;
  return new RegExp(`(?![\\p{Script=Latin}\\p{Script=Common}\\p{Script=Inherited}${own}])\\p{L}`, 'u');
});

/**
 * Whether all letters of a text are Latin or belong to the language; people search in no others. True for a language
 * whose script is not listed.
 * @param lang BCP 47
 */
export function isNativeScript(text: string, lang: string): boolean {
  return !foreignLetterOf(lang)?.test(text);
}
