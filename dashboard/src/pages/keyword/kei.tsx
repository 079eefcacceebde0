import * as texts from '#texts';
import type { KeywordModel } from './model.ts';
import { sayKei } from './say-kei.ts';

const words = texts.keyword.kei;

export function KeiRating({ rating }: { rating: KeywordModel['keiRating'] }) {
  if (rating === null) return null;
  return <p class={rating.reason === null ? 'muted' : 'note warn'}>{sayKei(rating)}</p>;
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
