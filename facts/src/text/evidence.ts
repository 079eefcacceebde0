import { isWordBoundary } from './is-word-boundary.ts';
import { foldText } from './normalize-text.ts';
import { createWordForms, foldForComparison, formsOf } from './word-form.ts';
import { wordsOf } from './words.ts';

/**
 * How well a title names a keyword, from 0 to 1:
 * - 1: the title contains the exact phrase
 * - .95: the title contains it once spaces are removed (`photoeditor` in `Photo Editor Pro`), or up to plurals (`car
 *   games` in `My Car Game`)
 * - .85: the title contains all its words, up to plurals
 * - otherwise half the share of its words that the title contains
 *
 * Letter case, accents, punctuation, whitespace and what else `foldForComparison` makes equal do not matter. Only whole words
 * match, except in scripts without spaces, where any part of the text matches. (docs/scores.md)
 * @param lang BCP 47
 */
export function evidence(keyword: string, title: string, lang: string): number {
  return evidenceFor(keyword, lang)(title);
}

/** From this evidence on, a title has the keyword in another spelling at most: joined, or in the plural. */
export const sameSpelling = 0.95;

/** As `evidence`, for many titles: the words of the keyword are found once, which costs more than all else. */
export function evidenceFor(keyword: string, lang: string): (title: string) => number {
  const phrase = foldForComparison(keyword, lang);
  if (phrase === '')
    return (title) => (withoutWhitespace(title).includes(withoutWhitespace(keyword)) ? 1 : 0);
  const formOf = createWordForms(lang);
  const phraseForms = formsOf(phrase, formOf);
  let foundWords: string[] | undefined;
  return (title) => {
    const text = foldForComparison(title, lang);
    if (containsPhrase(text, phrase)) return 1;
    const textForms = formsOf(text, formOf);
    if (containsPhraseUnspaced(text, phrase) || containsPhrase(textForms, phraseForms)) return sameSpelling;
    foundWords ??= wordsOf(keyword, lang).map((word) => formsOf(foldForComparison(word, lang), formOf));
    const words = foundWords;
    const matchedCount = words.filter((word) => containsPhrase(textForms, word)).length;
    if (matchedCount === 0) return 0;
    return matchedCount === words.length ? 0.85 : (0.5 * matchedCount) / words.length;
  };
}

/** For a keyword without letters or digits, such as an emoji: it counts anywhere in the title, as it has no words. */
function withoutWhitespace(text: string): string {
  return foldText(text).replace(/\s+/gu, '');
}

/** Whether the text contains the phrase as whole words. Both are folded. */
export function containsPhrase(text: string, phrase: string): boolean {
  return containsWhole(text, phrase, (at) => isWordBoundary(text, at));
}

/**
 * Whether a run of whole words of the text is the phrase once spaces are removed from both. Both are folded.
 */
export function containsPhraseUnspaced(text: string, phrase: string): boolean {
  const unspacedText = text.replaceAll(' ', '');
  const unspacedPhrase = phrase.replaceAll(' ', '');
  // The boundaries are costly, and most titles do not contain the phrase at all.
  if (!unspacedText.includes(unspacedPhrase)) return false;
  const boundaries = boundariesWithoutSpaces(text);
  return containsWhole(unspacedText, unspacedPhrase, (at) => boundaries.has(at));
}

/** The word boundaries of the text, as offsets after its spaces are removed. */
function boundariesWithoutSpaces(text: string): Set<number> {
  const boundaries = new Set<number>();
  let spaces = 0;
  for (let at = 0; at <= text.length; at++) {
    if (isWordBoundary(text, at)) boundaries.add(at - spaces);
    if (text[at] === ' ') spaces++;
  }
  return boundaries;
}

/** Whether the text contains the part between two boundaries. Offsets are in UTF-16 units. */
function containsWhole(text: string, part: string, isBoundaryAt: (at: number) => boolean): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (isBoundaryAt(at) && isBoundaryAt(at + part.length)) return true;
  }
  return false;
}
