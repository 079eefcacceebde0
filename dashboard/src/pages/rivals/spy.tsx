import { useState } from 'preact/hooks';
import * as texts from '#texts';
import { numberOf } from '../../figure.ts';
import { callApi } from '../../parts/api.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { type Sort, sortRows } from '../../parts/sort-rows.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Value } from '../../parts/value.tsx';
import { isolated } from '../../text/format.ts';
import { useChosenTerms } from '../keywords/chosen-terms.tsx';
import { KeptPages } from './kept-pages.tsx';
import type { Kept, Rival, RivalsModel } from './model.ts';
import { type RankedTerm, type SpiedRow, toRankedTerm } from './ranked-term.ts';
import { dayColumn, TrackChosen, termColumns, tryColumn } from './term-columns.tsx';
import { type KeptMeta, toKept } from './to-kept.ts';

const words = texts.rivals;
/** The most valuable ones. */
const shownTerms = 200;

type Answer = { data: SpiedRow[]; meta: KeptMeta };

/** `name`: of the competitor that ranks for them. */
type Terms = { name: string; rows: RankedTerm[]; kept: Kept };

/** The terms for which a competitor ranks. They are read when a person asks for them: that spends an API request. */
export function Spy({ app, rivals }: { app: RivalsModel['app']; rivals: readonly Rival[] }) {
  const [wanted, setWanted] = useState(rivals[0]?.appId ?? '');
  const [found, setFound] = useState<Terms | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const read = async () => {
    setError(null);
    setIsBusy(true);
    const { store, country, lang } = app;
    const query = new URLSearchParams({ app_id: wanted, store, country, lang, per_page: String(shownTerms) });
    await callApi<Answer>(`/keywords/ranked-by?${query}`).then(({ data, meta }) => {
      const rival = rivals.find(({ appId }) => appId === wanted);
      setFound({ name: rival?.title ?? wanted, rows: data.map(toRankedTerm), kept: toKept(meta) });
    }, setError);
    setIsBusy(false);
  };
  return (
    <>
      <p class="muted">{words.spyHint}</p>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void read();
        }}
      >
        <div>
          <label for="spied">{words.rival}</label>
          <select id="spied" value={wanted} onChange={(event) => setWanted(event.currentTarget.value)}>
            {rivals.map(({ appId, title }) => (
              <option key={appId} value={appId} lang={app.lang}>
                {title ?? appId}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" disabled={isBusy}>
          {isBusy ? words.reading : words.spyOn}
        </button>
      </form>
      <ErrorNote error={error} onRetry={() => void read()} />
      {found !== null && <Found key={found.name} app={app} {...found} />}
    </>
  );
}

function Found({ app, name, rows, kept }: Terms & { app: RivalsModel['app'] }) {
  const [sort, setSort] = useState<Sort | null>(null);
  const terms = useChosenTerms();
  const columns: Column<RankedTerm>[] = [
    ...termColumns<RankedTerm>(app, terms),
    {
      key: 'rank',
      label: texts.keywordList.rank,
      isNumber: true,
      cell: ({ rank }) => <Value of={rank} />,
      sortBy: ({ rank }) => numberOf(rank),
    },
    dayColumn<RankedTerm>(),
    tryColumn<RankedTerm>(app),
  ];
  const caption = words.spyOf(isolated(name));
  return (
    <>
      <h3>{caption}</h3>
      <KeptPages kept={kept} />
      {rows.length === 0 ? (
        <p>{words.spyNone}</p>
      ) : (
        <>
          <Table
            caption={caption}
            columns={columns}
            rows={sortRows(rows, sort, columns.find(({ key }) => key === sort?.key)?.sortBy)}
            rowKey={({ keyword }) => keyword}
            sort={sort}
            onSort={setSort}
          />
          <TrackChosen app={app} terms={terms} onTracked={() => {}} />
        </>
      )}
    </>
  );
}
