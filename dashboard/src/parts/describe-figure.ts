import * as texts from '#texts';
import type { Figure } from '../figure.ts';
import { type Decimals, formatDay, formatNumber } from '../text/format.ts';

/** What a page says of a figure: its number, and the words that belong to it. Null: none. */
export type Described = { number: string | null; words: string | null };

/** @param decimals as in `formatNumber` */
export function describeFigure(figure: Figure, decimals?: Decimals): Described {
  const words = texts.figure;
  const format = (value: number) => formatNumber(value, decimals);
  switch (figure.state) {
    case 'known':
      return { number: format(figure.value), words: null };
    case 'pending':
      return { number: null, words: words.pending };
    case 'not_ranked': {
      const depth = formatNumber(figure.depth);
      const said =
        figure.day === null ? words.notRanked(depth) : words.notRankedOn(depth, formatDay(figure.day));
      return { number: null, words: said };
    }
    case 'stale':
      return { number: format(figure.value), words: words.staleFrom(formatDay(figure.day)) };
    case 'partial':
      return { number: format(figure.value), words: words.partial };
    case 'blocked':
      return {
        number: figure.value === null ? null : format(figure.value),
        words: figure.day === null ? words.blocked : words.blockedSince(formatDay(figure.day)),
      };
    case 'unknown':
      return { number: null, words: words.unknown[figure.reason] };
    case 'not_applicable':
      return { number: null, words: words.notApplicable };
  }
}
