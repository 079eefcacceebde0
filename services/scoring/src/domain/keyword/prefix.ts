import { createByLanguage } from '@shelfwise/facts/text/by-language';
import { isCjk } from '@shelfwise/facts/text/scripts';

/**
 * The length of a typed prefix in user-perceived characters: accents and emoji parts do not count separately. A CJK character
 * counts 3, since it carries as much as several letters. (docs/scores.md, traffic)
 */
export function weighPrefix(prefix: string): number {
  return graphemesOf(prefix).reduce((sum, grapheme) => sum + ([...grapheme].some(isCjk) ? 3 : 1), 0);
}

/** Each prefix that ends in a whole character and not in a blank, shortest first, the term itself last. */
export function prefixesOf(term: string): string[] {
  const graphemes = graphemesOf(term);
  return graphemes
    .map((_, at) => graphemes.slice(0, at + 1).join(''))
    .filter((prefix) => prefix === prefix.trimEnd());
}

const graphemeSegmenterOf = createByLanguage((lang) => new Intl.Segmenter(lang, { granularity: 'grapheme' }));

/** The user-perceived characters of a text: a letter with its marks, a whole emoji. The same in all languages. */
export function graphemesOf(text: string): string[] {
  return Array.from(graphemeSegmenterOf('en').segment(text), (part) => part.segment);
}
