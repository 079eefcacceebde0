import { useState } from 'preact/hooks';
import * as texts from '#texts';
import { callEach } from '../../parts/call-each.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { say } from '../../parts/toasts.tsx';
import { formatNumber } from '../../text/format.ts';
import { callFavorite, callRemove } from './change-keyword.ts';
import type { KeywordRow, KeywordsModel } from './model.ts';
import { callsOf } from './split-terms.ts';
import { trackKeywords } from './track-keywords.ts';

const words = texts.keywords.bulk;

/** What can be done with the selected keywords. `onChanged` is called when something was done, also before a failure. */
export function BulkActions({
  app,
  selected,
  shown,
  onSelect,
  onChanged,
}: {
  app: KeywordsModel['app'];
  selected: readonly KeywordRow[];
  shown: readonly KeywordRow[];
  onSelect: (rows: readonly KeywordRow[]) => void;
  onChanged: () => Promise<void>;
}) {
  const [done, setDone] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);

  const run = async (work: (onDone: (done: number) => void) => Promise<void>) => {
    setError(null);
    setDone(0);
    await work(setDone).catch(setError);
    setDone(null);
    await onChanged();
  };
  const setFavorite = (isFavorite: boolean, rows = selected) =>
    run(async (onDone) => {
      const changed = rows.filter((row) => row.isFavorite !== isFavorite);
      await callEach(changed, (row) => callFavorite(app, row, isFavorite), onDone);
      const back = changed.map((row) => ({ ...row, isFavorite }));
      say(words.marked(formatNumber(changed.length)), () => void setFavorite(!isFavorite, back));
    });
  const restore = (rows: readonly KeywordRow[]) =>
    run(async (onDone) => {
      await callEach(
        callsOf(rows.map(({ keyword }) => keyword)),
        (terms) => trackKeywords(app, terms),
        onDone,
      );
      // What is tracked again is no favorite.
      const favorites = rows.filter(({ isFavorite }) => isFavorite);
      await callEach(favorites, (row) => callFavorite(app, row, true), onDone);
    });
  const remove = () =>
    run(async (onDone) => {
      const removed = [...selected];
      await callEach(removed, (row) => callRemove(app, row), onDone);
      onSelect([]);
      say(words.removed(formatNumber(removed.length)), () => void restore(removed));
    });

  const isBusy = done !== null;
  const isAll = shown.length > 0 && shown.every((row) => selected.includes(row));
  const areFavorites = selected.length > 0 && selected.every(({ isFavorite }) => isFavorite);
  return (
    <div class="row tools">
      <label class="check">
        <input type="checkbox" checked={isAll} onChange={() => onSelect(isAll ? [] : shown)} />
        {words.all(formatNumber(shown.length))}
      </label>
      {selected.length > 0 && (
        <>
          <button type="button" disabled={isBusy} onClick={() => void setFavorite(!areFavorites)}>
            {areFavorites ? words.unmark : words.mark}
          </button>
          <button type="button" disabled={isBusy} onClick={() => void remove()}>
            {words.remove}
          </button>
        </>
      )}
      <span role="status">
        {isBusy && words.progress(formatNumber(done))}
        {!isBusy && selected.length > 0 && words.selected(formatNumber(selected.length))}
      </span>
      <ErrorNote error={error} />
    </div>
  );
}
