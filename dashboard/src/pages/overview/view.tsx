import { useState } from 'preact/hooks';
import { numberOf } from '../../figure.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Storefront, StoreText } from '../../parts/shell.tsx';
import { type Column, type Sort, Table } from '../../parts/table.tsx';
import { TrackApp, trackApp } from '../../parts/track-app.tsx';
import { Value } from '../../parts/value.tsx';
import { formatTime, texts } from '../../text/texts.ts';
import type { OverviewModel, OverviewRow } from './model.ts';

const words = texts.overview;

const number = (
  key: 'health' | 'keywords' | 'top3' | 'top10' | 'top30',
  label: string,
): Column<OverviewRow> => ({
  key,
  label,
  isNumber: true,
  cell: (row) => <Value of={row[key]} />,
  sortBy: (row) => numberOf(row[key]),
});

const columns: Column<OverviewRow>[] = [
  {
    key: 'title',
    label: words.app,
    cell: (row) => (
      <>
        <a href={`/dashboard/apps/${row.id}`}>
          <StoreText app={row} />
        </a>
        <br />
        <Storefront app={row} />
      </>
    ),
    sortBy: ({ title, storeId }) => title ?? storeId,
  },
  number('health', words.health),
  number('keywords', words.keywords),
  number('top3', words.top3),
  number('top10', words.top10),
  number('top30', words.top30),
  {
    key: 'audited',
    label: words.audited,
    cell: ({ auditedAt }) => (auditedAt === null ? texts.figure.pending : formatTime(auditedAt)),
    sortBy: ({ auditedAt }) => auditedAt,
  },
];

export function Overview({ model }: { model: OverviewModel }) {
  const [sort, setSort] = useState<Sort | null>(null);
  return (
    <>
      {model.rows.length === 0 ? (
        <Begin model={model} />
      ) : (
        <Table
          caption={words.caption}
          columns={columns}
          rows={model.rows}
          rowKey={({ id }) => id}
          sort={sort}
          onSort={setSort}
        />
      )}
      <h2>{words.track}</h2>
      <TrackApp />
    </>
  );
}

/** Of an account without an app: what to do first. */
function Begin({ model }: { model: OverviewModel }) {
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState<string | null>(null);
  return (
    <section>
      <ol>
        {words.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {model.suggestions.length > 0 && <p>{words.suggestions}</p>}
      <ul class="cards">
        {model.suggestions.map(({ storeId, title }) => (
          <li key={storeId}>
            <button
              type="button"
              class="card"
              disabled={busy !== null}
              onClick={() => {
                setBusy(storeId);
                trackApp({ app_id: storeId, store: 'ITUNES', country: 'US', lang: 'en-US' }).catch((err) => {
                  setError(err);
                  setBusy(null);
                });
              }}
            >
              {busy === storeId ? words.tracking : words.trackOne(title)}
            </button>
          </li>
        ))}
      </ul>
      <ErrorNote error={error} />
    </section>
  );
}
