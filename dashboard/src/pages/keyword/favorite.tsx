import { useState } from 'preact/hooks';
import * as texts from '#texts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { useKeys } from '../../parts/keys.ts';
import { callFavorite } from '../keywords/change-keyword.ts';
import type { KeywordModel } from './model.ts';

/** Says whether the keyword is a favorite; the button or `f` changes it. */
export function Favorite({ model: { app, keyword } }: { model: KeywordModel }) {
  const [isFavorite, setIsFavorite] = useState(keyword.isFavorite);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const change = () => {
    if (isBusy) return;
    setError(null);
    setIsBusy(true);
    callFavorite(app, keyword, !isFavorite)
      .then(() => setIsFavorite(!isFavorite), setError)
      .finally(() => setIsBusy(false));
  };
  useKeys({ f: change });
  return (
    <>
      <button type="button" aria-pressed={isFavorite} aria-disabled={isBusy} onClick={change}>
        <span aria-hidden="true">{isFavorite ? '★' : '☆'}</span> {texts.keyword.favorite}
      </button>
      <ErrorNote error={error} />
    </>
  );
}
