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

/**
 * Whether all letters of a text are Latin or belong to the language; people search in no others. True for a language
 * whose script is not listed.
 * @param lang BCP 47
 */
export function isNativeScript(text: string, lang: string): boolean {
  const own = letters.get(new Intl.Locale(lang).maximize().script ?? '');
  if (own === undefined) return true;
  const foreign = new RegExp(
    `(?![\\p{Script=Latin}\\p{Script=Common}\\p{Script=Inherited}${own}])\\p{L}`,
    'u',
  );
  return !foreign.test(text);
}
