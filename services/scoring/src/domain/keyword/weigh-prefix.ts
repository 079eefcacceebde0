import { isCjk } from '@shelfwise/facts/text/scripts';
import { graphemesOf } from '../text/graphemes.ts';

/**
 * How much of a term somebody has typed, in characters as a person counts them: an accent or an emoji's parts are none
 * of their own; a CJK character counts 3, since it says as much as several letters. (spec: scoring, p)
 */
export function weighPrefix(prefix: string): number {
  return graphemesOf(prefix).reduce((sum, grapheme) => sum + ([...grapheme].some(isCjk) ? 3 : 1), 0);
}
