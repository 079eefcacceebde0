import * as texts from '#texts';
import type { KeywordModel } from './model.ts';

const words = texts.keyword.kei;

/** How good a KEI is in a word, once it is known whether the keyword is searched, and what holds it down: its formula would give it more. */
export function sayKei({ level, reason }: NonNullable<KeywordModel['keiRating']>): string {
  const rated = reason === 'search_unknown' ? null : words.rated(words.levels[level]);
  return [rated, reason && words.held[reason]].filter(Boolean).join(' ');
}
