import * as texts from '#texts';
import { CutName } from '../../parts/cut-name.tsx';
import type { RivalsModel } from './model.ts';

const words = texts.rivals;
/** As many as the API compares. */
const mostCompared = 5;

/** With which competitors the app is compared: a choice when it has more than are compared. How to add one when it has none. */
export function Compared({
  model: { app, rivals, missing },
  onCompare,
}: {
  model: RivalsModel;
  /** called with ids, separated by commas */
  onCompare: (ids: string) => void;
}) {
  if (rivals === null)
    return (
      <p class="note warn">
        {words.rivalsUnknown} {missing.rivals !== null && texts.figure.unknown[missing.rivals]}
      </p>
    );
  const charts = `/dashboard/charts?${new URLSearchParams({ store: app.store, country: app.country })}`;
  if (rivals.length === 0)
    return (
      <p>
        {words.none} <a href={charts}>{texts.nav.charts}</a>
      </p>
    );
  const compared = rivals.filter(({ isCompared }) => isCompared).map(({ id }) => id);
  if (rivals.length <= mostCompared) return null;
  const toggled = (id: string) =>
    compared.includes(id) ? compared.filter((one) => one !== id) : [...compared, id];
  return (
    <fieldset class="chips">
      <legend>{words.compared}</legend>
      {rivals.map(({ id, title, appId, isCompared }) => (
        <button
          key={id}
          type="button"
          class="chip"
          aria-pressed={isCompared}
          disabled={isCompared ? compared.length === 1 : compared.length === mostCompared}
          onClick={() => onCompare(toggled(id).join())}
        >
          <CutName name={title ?? appId} lang={app.lang} />
        </button>
      ))}
    </fieldset>
  );
}
