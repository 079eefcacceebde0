/**
 * Han, Kana and Hangul. The long vowel mark and the voicing marks are used with Kana, but Unicode lists them as
 * Common.
 */
const cjk = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u30fc\\u3099\\u309a';

const oneCjk = new RegExp(`^[${cjk}]$`, 'u');
const unspaced = new RegExp(
  `^[${cjk}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]$`,
  'u',
);

/** A run of consecutive CJK characters; it may mix the scripts. */
export const cjkRun = new RegExp(`[${cjk}]+`, 'gu');

/** @param character one code point */
export function isCjk(character: string): boolean {
  return oneCjk.test(character);
}

/**
 * Whether a character belongs to a script that writes words without spaces: CJK and some scripts of South East Asia.
 * @param character one code point
 */
export function isUnspaced(character: string): boolean {
  return unspaced.test(character);
}
