import { cutText } from '@shelfwise/facts/text/cut-text';

/** A word, or in scripts without blanks one character of it, as the rules compare it. */
export type TextUnit = {
  /** Its form for comparison: lower case, without marks that writers leave out. */
  readonly key: string;
  /** Where it stands in the text that was read. */
  readonly start: number;
  readonly end: number;
  /** Nothing that ends a phrase stands between it and the unit before it. */
  readonly isJoined: boolean;
};

/**
 * One unit at a time: katakana in one piece; one Han or hiragana character; a number with its decimal marks; letters; and
 * the signs that claims are made of. Letters and digits part, so that "No1" reads as "No. 1".
 */
const unit =
  /[\p{Script=Katakana}ー]+|[\p{Script=Han}\p{Script=Hiragana}]|\p{Nd}+(?:[.,]\p{Nd}+)*|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー])[\p{L}\p{M}])+|[#%]/gu;

/** A phrase goes on over blanks, hyphens, apostrophes and dots, as in "No. 1", "ad-free", "editor’s choice". */
const within = /^[\s.'’‘`´_+・‐‑-]*$/u;

/**
 * The text as the rules read it: NFKC (so that "ＦＲＥＥ" is "FREE" and "№" is "No"), without characters that nobody sees,
 * and the degree sign of "n°1" as the letter it stands for.
 * @param max UTF-16 units of it that are read, counted in NFKC, where one character can become eighteen (`ﷺ`)
 */
export function readableText(text: string, max: number): string {
  return cutText(cutText(text, max).normalize('NFKC'), max)
    .replace(/\p{Default_Ignorable_Code_Point}+/gu, '')
    .replace(/(?<=[Nn])°/gu, 'o');
}

/** The units of a text that `readableText` gave, in order. Linear in its length. */
export function unitsOf(text: string): TextUnit[] {
  const units: TextUnit[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(unit)) {
    const isJoined = within.test(text.slice(end, index));
    end = index + found.length;
    units.push({ key: keyOf(found), start: index, end, isJoined });
  }
  return units;
}

/** Upper case loses the Turkish dots, and Arabic is mostly written without vowel marks and with a bare alef. */
function keyOf(found: string): string {
  return found
    .toLowerCase()
    .replace(/i\u0307|ı/gu, 'i')
    .replace(/[\u064b-\u0652\u0670\u0640]/gu, '')
    .replace(/[أإآ]/gu, 'ا');
}
