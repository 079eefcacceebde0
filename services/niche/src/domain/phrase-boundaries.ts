import { normalizeText } from '@shelfwise/facts/text/normalize-text';
import { isUnspaced } from '@shelfwise/facts/text/scripts';

/** Whether the phrase starts and ends at a boundary of the text around it. */
export type PhraseBoundaries = { atStart: boolean; atEnd: boolean };

const scripts = [
  /\p{Script=Han}/u,
  /[\p{Script=Katakana}\u30fc]/u,
  /\p{Script=Hiragana}/u,
  /\p{Script=Hangul}/u,
  /\p{L}|\p{M}|\p{N}/u,
];
const hiragana = 2;
/** Particles that separate words. */
const particle = /[のにはをがとでもやへ的和与與]/u;

/**
 * The boundaries of a phrase at each of its places in a text. A boundary is an end of the text, punctuation (but not
 * a hyphen or an apostrophe) or a neighboring function word. In scripts without blanks it is also a blank, a particle
 * or a change of script (`サブスク|管理`), but not before Hiragana, which continues the word before it (`描|き方`).
 * @param phrase normal form, as written in the text
 * @param stopWords of the language
 * @param lang BCP 47
 */
export function phraseBoundaries(
  phrase: string,
  text: string,
  stopWords: ReadonlySet<string>,
  lang: string,
): PhraseBoundaries[] {
  const spelled = normalizeText(text, lang).replace(/\s+/gu, ' ').trim();
  const found: PhraseBoundaries[] = [];
  for (let at = spelled.indexOf(phrase); at >= 0; at = spelled.indexOf(phrase, at + 1)) {
    const before = spelled.slice(0, at);
    const after = spelled.slice(at + phrase.length);
    const isStop = (word: string | undefined) => stopWords.has(word ?? '');
    found.push({
      atStart: isStop(before.trim().split(' ').at(-1)) || isBoundary(before, phrase, lastOf(before)),
      atEnd: isStop(after.trim().split(' ')[0]) || isBoundary(phrase, after, firstOf(after)),
    });
  }
  return found;
}

/** @param outside the character next to the boundary that is not part of the phrase */
function isBoundary(left: string, right: string, outside: string): boolean {
  const near = [lastOf(left), firstOf(right)] as const;
  const [last, first] = [lastOf(left.trimEnd()), firstOf(right.trimStart())];
  if (scriptOf(last) === -1 || scriptOf(first) === -1) return !/^[-'\u2010\u2011]$/u.test(outside);
  if (!isUnspaced(last) && !isUnspaced(first)) return false;
  if (near.includes(' ') || particle.test(outside)) return true;
  return scriptOf(last) !== scriptOf(first) && scriptOf(first) !== hiragana;
}

/** An index of `scripts`; -1 for other characters and at the ends of the text. */
function scriptOf(character: string): number {
  return scripts.findIndex((script) => script.test(character));
}

function firstOf(text: string): string {
  return [...text.slice(0, 2)][0] ?? '';
}

function lastOf(text: string): string {
  return [...text.slice(-2)].at(-1) ?? '';
}
