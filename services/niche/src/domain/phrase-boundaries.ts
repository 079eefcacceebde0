import { normalizeText } from '@shelfwise/facts/text/normalize-text';
import { isUnspaced } from '@shelfwise/facts/text/scripts';

/** Whether the phrase starts and ends at a boundary of the text around it. */
export type PhraseBoundaries = { atStart: boolean; atEnd: boolean };

/** The last entry stands for all other scripts. */
const scripts = [
  /\p{Script=Han}/u,
  /[\p{Script=Katakana}\u30fc]/u,
  /\p{Script=Hiragana}/u,
  /\p{Script=Hangul}/u,
  /\p{L}|\p{M}|\p{N}/u,
];
/** Its index in `scripts`. */
const hiragana = 2;
/** Japanese and Chinese particles, which separate words. */
const particle = /[のにはをがとでもやへ的和与與]/u;

/**
 * For each occurrence of a phrase in a text: whether boundaries enclose it. A boundary is an end of the text,
 * punctuation (but not a hyphen or an apostrophe) or a neighboring stop word. In scripts without blanks it is also a
 * blank, a particle or a change of script (`サブスク|管理`). Hiragana continues the word before it (`描|き方`).
 * @param phrase normal form; hyphens and apostrophes as in the text
 * @param stopWords of the language
 * @param lang BCP 47
 */
export function phraseBoundaries(
  phrase: string,
  text: string,
  stopWords: ReadonlySet<string>,
  lang: string,
): PhraseBoundaries[] {
  const normalText = normalizeText(text, lang).replace(/\s+/gu, ' ').trim();
  const occurrences: PhraseBoundaries[] = [];
  for (let at = normalText.indexOf(phrase); at >= 0; at = normalText.indexOf(phrase, at + 1)) {
    const before = normalText.slice(0, at);
    const after = normalText.slice(at + phrase.length);
    const isStop = (word: string | undefined) => stopWords.has(word ?? '');
    occurrences.push({
      atStart: isStop(before.trim().split(' ').at(-1)) || isBoundary(before, phrase, lastOf(before)),
      atEnd: isStop(after.trim().split(' ')[0]) || isBoundary(phrase, after, firstOf(after)),
    });
  }
  return occurrences;
}

/**
 * Whether there is a boundary between a phrase and the text next to it.
 * @param outside the character next to the phrase; empty at an end of the text
 */
function isBoundary(left: string, right: string, outside: string): boolean {
  const neighbors = [lastOf(left), firstOf(right)] as const;
  const [last, first] = [lastOf(left.trimEnd()), firstOf(right.trimStart())];
  if (scriptOf(last) === -1 || scriptOf(first) === -1) return !/^[-'\u2010\u2011]$/u.test(outside);
  if (!isUnspaced(last) && !isUnspaced(first)) return false;
  if (neighbors.includes(' ') || particle.test(outside)) return true;
  return scriptOf(last) !== scriptOf(first) && scriptOf(first) !== hiragana;
}

/** An index of `scripts`; -1 for other characters and at the ends of the text. */
function scriptOf(character: string): number {
  return scripts.findIndex((script) => script.test(character));
}

/** The first character (code point); empty for an empty text. */
function firstOf(text: string): string {
  return [...text.slice(0, 2)][0] ?? '';
}

function lastOf(text: string): string {
  return [...text.slice(-2)].at(-1) ?? '';
}
