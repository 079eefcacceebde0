import * as texts from '#texts';
import type { KeywordModel } from './model.ts';

const words = texts.keyword.kei;

/** How good a KEI is in a word, once it is known whether the keyword is searched, and what holds it down: its formula would give it more. */
export function KeiRating({ rating }: { rating: KeywordModel['keiRating'] }) {
  if (rating === null) return null;
  const { level, reason } = rating;
  return (
    <p class={reason === null ? 'muted' : 'note warn'}>
      {reason !== 'search_unknown' && `${words.rated(words.levels[level])} `}
      {reason !== null && words.held[reason]}
    </p>
  );
}

/** How a KEI is computed from the two other scores. */
export function KeiOpened() {
  return (
    <>
      <h3>{texts.keywordList.kei}</h3>
      <p>{words.formula}</p>
    </>
  );
}
