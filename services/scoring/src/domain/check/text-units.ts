import { normalizeUnicode } from '@shelfwise/facts/text/combining-marks';
import { cutText } from '@shelfwise/facts/text/cut-text';

/** A word, or one character in scripts without spaces, as the rules compare it. */
export type TextUnit = {
  /** The form for comparison: lower case, without optional marks. */
  readonly key: string;
  /** Offsets in the text passed to `unitsOf`, in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Whether a phrase can continue from the previous unit: only `joiners` are between the two. */
  readonly isJoined: boolean;
};

/**
 * One unit: a katakana run; one Han or hiragana character; a number with its decimal marks; a run of other letters; or
 * a sign used in claims ("#1", "50%"). Letters and digits are separate units, so that "No1" reads as "No. 1".
 */
const unit =
  /[\p{Script=Katakana}ー]+|[\p{Script=Han}\p{Script=Hiragana}]|\p{Nd}+(?:[.,]\p{Nd}+)*|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー])[\p{L}\p{M}])+|[#%]/gu;

/** What may be between two units of a phrase: spaces, hyphens, apostrophes, dots ("No. 1", "ad-free", "editor’s"). */
const joiners = /^[\s.'’‘`´_+・‐‑-]*$/u;

/**
 * The text as the rules read it: in NFKC ("ＦＲＥＥ" becomes "FREE", "№" becomes "No") and without invisible characters. The degree
 * sign of "n°1" is the letter o.
 * @param max maximum length in UTF-16 units, applied before and after NFKC, where one character can become eighteen
 * (`ﷺ`)
 */
export function readableText(text: string, max: number): string {
  return cutText(normalizeUnicode(cutText(text, max), 'NFKC'), max)
    .replace(/\p{Default_Ignorable_Code_Point}+/gu, '')
    .replace(/(?<=[Nn])°/gu, 'o');
}

/**
 * Characters that NFKC may compose with the one before them: marks, Korean vowels and finals, half-width voicing marks.
 */
const composing = '\\p{M}\\u1161-\\u11ff\\u3131-\\u318e\\ud7b0-\\ud7ff\\uff9e\\uff9f\\uffa0-\\uffdc';
const piece = new RegExp(`[^${composing}][${composing}]*|[${composing}]+`, 'gu');

/**
 * Returns a function that gives the part of a text as it was written, for two offsets in its `readableText`. Messages quote
 * what was sent ("№1", not "No1"). Linear in the text's length; build it once, and only for a finding.
 * @param max as for `readableText`
 */
export function createWrittenPart(text: string, max: number): (start: number, end: number) => string {
  const written = cutText(text, max);
  if (/^[\0-\x7f]*$/.test(written)) return (start, end) => written.slice(start, end);
  // By offset in the readable text: where the piece that it comes from starts and ends in the written one.
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { 0: part, index } of written.matchAll(piece)) {
    for (let unit = readableText(part, max).length; unit > 0; unit--) {
      starts.push(index);
      ends.push(index + part.length);
    }
  }
  return (start, end) => written.slice(starts[start], ends[end - 1]);
}

/** The units of a text from `readableText`, in order. Linear in its length. */
export function unitsOf(text: string): TextUnit[] {
  const units: TextUnit[] = [];
  let end = 0;
  for (const { 0: written, index } of text.matchAll(unit)) {
    const isJoined = joiners.test(text.slice(end, index));
    end = index + written.length;
    units.push({ key: keyOf(written), start: index, end, isJoined });
  }
  return units;
}

/**
 * Spellings of the same word get the same key. Turkish capitals are often written without their dots, so `i` and `ı` are one
 * letter. Arabic is mostly written without vowel marks and with a bare alef.
 */
export function keyOf(written: string): string {
  return written
    .toLowerCase()
    .replace(/i\u0307|ı/gu, 'i')
    .replace(/[\u064b-\u0652\u0670\u0640]/gu, '')
    .replace(/[أإآ]/gu, 'ا');
}
