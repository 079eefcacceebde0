import { isWordBoundary } from './is-word-boundary.ts';
import { foldText, foldWithoutPunctuation } from './normalize-text.ts';
import { wordsOf } from './words.ts';

/**
 * How well a title names a keyword, 0 to 1: 1 the exact phrase; .95 equal once spaces are removed (`photoeditor` in
 * `Photo Editor Pro`); .85 all words; else half the share of words found. Letter case, punctuation and blanks do not
 * matter. Whole words are compared, but where a script has no spaces a part of the text will do. (spec: scoring)
 * @param lang BCP 47
 */
export function evidence(keyword: string, title: string, lang: string): number {
  const phrase = foldWithoutPunctuation(keyword);
  if (phrase === '') return withoutBlanks(title).includes(withoutBlanks(keyword)) ? 1 : 0;
  const text = foldWithoutPunctuation(title);
  if (holds(text, phrase)) return 1;
  if (holdsUnspaced(text, phrase)) return 0.95;
  const words = wordsOf(keyword, lang);
  const found = words.filter((word) => holds(text, foldWithoutPunctuation(word))).length;
  if (found === 0) return 0;
  return found === words.length ? 0.85 : (0.5 * found) / words.length;
}

/** For a keyword that has no letter or digit, such as an emoji. */
function withoutBlanks(text: string): string {
  return foldText(text).replace(/\s+/gu, '');
}

function holds(text: string, phrase: string): boolean {
  return findsWhole(text, phrase, (at) => isWordBoundary(text, at));
}

function holdsUnspaced(text: string, phrase: string): boolean {
  const joined = text.replaceAll(' ', '');
  const part = phrase.replaceAll(' ', '');
  if (!joined.includes(part)) return false;
  const edges = edgesWithoutSpaces(text);
  return findsWhole(joined, part, (at) => edges.has(at));
}

/** Where words may begin or end in the text once its spaces are removed. */
function edgesWithoutSpaces(text: string): Set<number> {
  const edges = new Set<number>();
  let spaces = 0;
  for (let at = 0; at <= text.length; at++) {
    if (isWordBoundary(text, at)) edges.add(at - spaces);
    if (text[at] === ' ') spaces++;
  }
  return edges;
}

function findsWhole(text: string, part: string, isEdgeAt: (at: number) => boolean): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (isEdgeAt(at) && isEdgeAt(at + part.length)) return true;
  }
  return false;
}
