/** Han, Kana and Hangul. The long vowel mark and the voicing marks belong to Kana, though Unicode says common. */
const cjk = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u30fc\\u3099\\u309a';

const oneCjk = new RegExp(`^[${cjk}]$`, 'u');
const unspaced = new RegExp(
  `^[${cjk}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]$`,
  'u',
);

/** Characters of one run stand next to each other, whichever of these scripts each of them is of. */
export const cjkRun = new RegExp(`[${cjk}]+`, 'gu');

/** @param character one code point */
export function isCjk(character: string): boolean {
  return oneCjk.test(character);
}

/** Of a script whose words do not show where they begin and end: CJK, and those of South East Asia. */
export function isUnspaced(character: string): boolean {
  return unspaced.test(character);
}
