import { useState } from 'preact/hooks';
import * as texts from '#texts';
import { ValueSpark } from '../../charts/value-spark.tsx';
import { readDayTexts } from '../../day-texts.ts';
import { numberOf } from '../../figure.ts';
import { CutName } from '../../parts/cut-name.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { IconOf, Storefront } from '../../parts/shell.tsx';
import { type Sort, sortRows } from '../../parts/sort-rows.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { TrackApp, trackApp } from '../../parts/track-app.tsx';
import { Value } from '../../parts/value.tsx';
import { formatDay, formatNumber, formatTime } from '../../text/format.ts';
import { Change } from '../keywords/change.tsx';
import { statusOf } from '../rivals/status-of.ts';
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
          <CutName name={row.title ?? row.storeId} lang={row.lang}>
            <IconOf app={row} />
          </CutName>
        </a>
        <br />
        <Storefront app={row} /> {row.tier !== null && <small class="nowrap">{words.tiers[row.tier]}</small>}
      </>
    ),
    sortBy: ({ title, storeId }) => title ?? storeId,
  },
  {
    ...number('health', words.health),
    cell: ({ health, healthChange }) => (
      <>
        <Value of={health} />
        {healthChange && <HealthChange of={healthChange} />}
      </>
    ),
  },
  {
    key: 'visibility',
    label: words.visibility,
    isNumber: true,
    cell: ({ visibility }) => <Visibility of={visibility} />,
    sortBy: ({ visibility }) => numberOf(visibility.newest),
  },
  number('keywords', words.keywords),
  number('top3', words.top3),
  number('top10', words.top10),
  number('top30', words.top30),
  {
    key: 'drop',
    label: words.drop,
    isNumber: true,
    cell: (row) => <Drop of={row} />,
    sortBy: ({ drop }) => numberOf(drop),
  },
  {
    key: 'readOn',
    label: words.readOn,
    cell: ({ readOn }) => (
      <span class="nowrap">{readOn === null ? texts.figure.unknown.not_read : formatDay(readOn)}</span>
    ),
    sortBy: ({ readOn }) => readOn,
  },
  {
    key: 'audited',
    label: words.audited,
    cell: ({ auditedAt }) => (auditedAt === null ? texts.figure.pending : <Time at={auditedAt} />),
    sortBy: ({ auditedAt }) => auditedAt,
  },
];

export function Overview({ model }: { model: OverviewModel }) {
  const [sort, setSort] = useState<Sort | null>(null);
  const sortBy = columns.find(({ key }) => key === sort?.key)?.sortBy;
  return (
    <>
      <Visit visit={model.visit} />
      {model.rows.length === 0 ? (
        <Begin model={model} />
      ) : (
        <>
          <Table
            caption={words.caption}
            columns={columns}
            rows={sortRows(model.rows, sort, sortBy)}
            rowKey={({ id }) => id}
            sort={sort}
            onSort={setSort}
          />
          <p class="muted">{words.legend}</p>
          <Today run={model.run} quota={model.quota} />
        </>
      )}
      <h2>{texts.nav.track}</h2>
      <TrackApp />
    </>
  );
}

/** What is new, in one line. */
function Visit({ visit }: { visit: OverviewModel['visit'] }) {
  if (visit === null) return null;
  const read = numberOf(visit.read);
  return (
    <p>
      {words.since(formatTime(visit.endedAt))}{' '}
      {read === 0 ? (
        words.nothingNew
      ) : (
        <>
          {words.keywordsRead} <Value of={visit.read} />, {words.up} <Value of={visit.up} />, {words.down}{' '}
          <Value of={visit.down} />
        </>
      )}
    </p>
  );
}

/** The readings of the day, and what is used of the month. */
function Today({ run, quota }: Pick<OverviewModel, 'run' | 'quota'>) {
  const cards = [
    [words.run.read, run.read],
    [words.run.waiting, run.waiting],
    [words.run.late, run.late],
  ] as const;
  return (
    <>
      <h2>{words.today}</h2>
      <dl class="cards">
        {cards.map(([label, figure]) => (
          <div class="card" key={label}>
            <dt>{label}</dt>
            <dd>
              <Value of={figure} />
            </dd>
          </div>
        ))}
      </dl>
      {quota && (
        <>
          <h2>{words.quota}</h2>
          <p>
            <Value of={quota.used} /> <span class="muted">{describeQuota(quota)}</span>
          </p>
        </>
      )}
    </>
  );
}

function describeQuota({ limit, renewsAt }: NonNullable<OverviewModel['quota']>): string {
  const most = numberOf(limit);
  return most === null ? words.noQuota : words.quotaOf(formatNumber(most), formatTime(renewsAt));
}

/** In points, since a day; or why there is none. */
function HealthChange({ of: { points, since } }: { of: NonNullable<OverviewRow['healthChange']> }) {
  return (
    <>
      <br />
      {since === null && <small>{words.noHealthChange} </small>}
      <Change change={points} status={statusOf(points)} />
      {since !== null && <small>{words.sinceDay(formatDay(since))}</small>}
    </>
  );
}

function Visibility({ of: { newest, byDay } }: { of: OverviewRow['visibility'] }) {
  const values = byDay && readDayTexts(byDay.values);
  const scored = values?.filter((value) => value !== null).length ?? 0;
  return (
    <>
      <Value of={newest} decimals={1} />
      {byDay && values && (
        <>
          <br />
          <ValueSpark
            values={values}
            most={100}
            sentence={words.visibilityOf(formatNumber(scored), formatDay(byDay.from), formatDay(byDay.to))}
          />
        </>
      )}
    </>
  );
}

function Drop({ of: { id, lang, drop, dropped } }: { of: OverviewRow }) {
  if (dropped === null)
    return numberOf(drop) === 0 ? (
      <small>{words.noDrop}</small>
    ) : (
      <Value of={drop} notApplicable={words.noKeywords} />
    );
  return (
    <>
      <span class="down">
        <span aria-hidden="true">▼ </span>
        <Value of={drop} />
      </span>{' '}
      <a href={`/dashboard/apps/${id}/keywords/${dropped.keywordId}`}>
        <bdi lang={lang}>{dropped.keyword}</bdi>
      </a>
      {dropped.sinceDay !== null && <small>{words.sinceDay(formatDay(dropped.sinceDay))}</small>}
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
              {busy === storeId ? texts.trackApp.tracking : texts.trackApp.trackOne(title)}
            </button>
          </li>
        ))}
      </ul>
      <ErrorNote error={error} />
    </section>
  );
}
