import { useCallback, useMemo, useRef, useState } from 'preact/hooks';
import * as texts from '#texts';
import { hasEarlierDay, type Unknown } from '../../figure.ts';
import { ApiError, callPage } from '../../parts/api.ts';
import { Arrivals } from '../../parts/arrivals.tsx';
import { callPatiently } from '../../parts/call-each.ts';
import { CutName } from '../../parts/cut-name.tsx';
import { describeFigure } from '../../parts/describe-figure.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { FilterChips } from '../../parts/filter-chips.tsx';
import { useKeys } from '../../parts/keys.ts';
import { saveFile } from '../../parts/save-file.ts';
import { Storefront } from '../../parts/shell.tsx';
import { readSort } from '../../parts/sort-rows.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { say } from '../../parts/toasts.tsx';
import { toQuery, useAddress } from '../../parts/use-address.ts';
import { useLooks } from '../../parts/use-looks.ts';
import { Value } from '../../parts/value.tsx';
import { formatDay, formatNumber, isolated } from '../../text/format.ts';
import { AddKeywords } from './add-keywords.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { Change } from './change.tsx';
import { callFavorite, callRemove } from './change-keyword.ts';
import { hasPendingScores } from './has-pending-scores.ts';
import { addressOf, KeywordLink, ListQuery } from './keyword-link.tsx';
import { filters, sortValues, viewList, wholeList } from './list-view.ts';
import type { KeywordRow, KeywordsModel } from './model.ts';
import { RowSpark, readRankDays } from './row-spark.tsx';
import { createSparkReader, type SparkReader } from './spark-reader.ts';
import { toCsv } from './to-csv.ts';
import { trackKeywords } from './track-keywords.ts';

const words = texts.keywords;
const listWords = texts.keywordList;
/** Nothing has moved yet. */
const { moved: _moved, ...filtersOfFirstDay } = filters;

export function Keywords({ model: first }: { model: KeywordsModel }) {
  const [model, setModel] = useState(first);
  const [error, setError] = useState<unknown>(null);
  const [address, setAddress] = useAddress(wholeList);
  const [at, setAt] = useState<string | null>(null);
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const [sparksMissing, setSparksMissing] = useState<Unknown | null>(null);
  const filter = useRef<HTMLInputElement>(null);
  const { app } = model;
  const sparks = useMemo(
    () =>
      createSparkReader({
        call: (ids) => readRankDays(app.id, ids),
        onFailed: (err) => setSparksMissing(whyMissing(err)),
      }),
    [app.id],
  );

  const reload = useCallback(
    () =>
      // After many calls at once, this may be one too many for the second.
      callPatiently(() => callPage<{ model: KeywordsModel }>(`/dashboard/apps/${app.id}/keywords`)).then(
        (answer) => {
          setModel(answer.model);
          setError(null);
        },
        setError,
      ),
    [app.id],
  );
  const pending = model.rows.filter(hasPendingScores).length;
  useLooks(pending > 0, reload);

  const rows = useMemo(() => viewList(model.rows, address), [model, address]);
  const selected = model.rows.filter(({ id }) => selectedIds.has(id));
  const select = (chosen: readonly KeywordRow[]) => setSelectedIds(new Set(chosen.map(({ id }) => id)));
  // What cells use stays the same object, so that rows which have not changed are not drawn again.
  const toggle = useCallback(({ id }: KeywordRow) => setSelectedIds((now) => withToggled(now, id)), []);
  const setFavorite = useCallback(
    (row: KeywordRow, isFavorite: boolean) => {
      setModel((now) => withRow(now, { ...row, isFavorite }));
      callFavorite(app, row, isFavorite).catch((err) => {
        setModel((now) => withRow(now, row));
        setError(err);
      });
    },
    [app],
  );
  const remove = useCallback(
    (row: KeywordRow) => {
      setModel((now) => ({ ...now, rows: now.rows.filter(({ id }) => id !== row.id) }));
      const restore = () =>
        trackKeywords(app, [row.keyword])
          .then(() => row.isFavorite && callFavorite(app, row, true))
          .then(reload, setError);
      callRemove(app, row).then(
        () => say(words.removed(isolated(row.keyword)), () => void restore()),
        (err) => {
          setError(err);
          void reload();
        },
      );
    },
    [app, reload],
  );
  const exportRows = () =>
    saveFile(`keywords-${app.storeId}-${app.country}.csv`, 'text/csv;charset=utf-8', toCsv(rows));

  const move = (by: number) => {
    const index = rows.findIndex(({ id }) => id === at);
    const next = rows[Math.max(0, Math.min(rows.length - 1, index + by))];
    if (next) setAt(next.id);
  };
  const current = rows.find(({ id }) => id === at);
  const query = toQuery(address, wholeList);
  useKeys({
    '/': () => filter.current?.focus(),
    j: () => move(1),
    k: () => move(-1),
    x: () => current && toggle(current),
    f: () => current && setFavorite(current, !current.isFavorite),
    e: exportRows,
    Enter: () => current && location.assign(`${addressOf(app.id, current.id)}${query}`),
  });

  const hasEarlier = hasEarlierDay(model.rows.map(({ change }) => change));
  const columns = useMemo(
    () =>
      inOrderOf(
        matchMedia('(max-width: 760px)').matches,
        columnsFor({ app, sparks, toggle, setFavorite, remove }),
      ).filter(({ key }) => key !== 'change' || hasEarlier),
    [app, sparks, toggle, setFavorite, remove, hasEarlier],
  );
  return (
    <>
      <p>
        <Storefront app={app} />
      </p>
      <AddKeywords app={app} onAdded={reload} />
      <ErrorNote error={error} onRetry={() => void reload()} />
      <Arrivals pending={pending} words={listWords.arrived} />
      {model.rows.length === 0 && <p>{words.empty}</p>}
      <div class="row">
        <div>
          <label for="filter">{listWords.filter}</label>
          <input
            id="filter"
            ref={filter}
            value={address.q}
            onInput={(event) => setAddress({ q: event.currentTarget.value })}
            onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
          />
        </div>
        <button type="button" onClick={exportRows}>
          {words.export}
        </button>
      </div>
      <FilterChips
        filters={hasEarlier || address.moved !== '' ? filters : filtersOfFirstDay}
        words={listWords.filters}
        fields={address}
        onChange={setAddress}
      />
      <BulkActions app={app} selected={selected} shown={rows} onSelect={select} onChanged={reload} />
      <p class="muted" role="status">
        {texts.table.shown(formatNumber(rows.length), formatNumber(model.rows.length))}
        {model.hasMore && ` ${listWords.hasMore}`}
      </p>
      <ListQuery.Provider value={query}>
        <Table
          caption={listWords.caption}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          sort={readSort(address.sort)}
          onSort={({ key, isDescending }) => setAddress({ sort: isDescending ? `-${key}` : key })}
          selected={at}
          marked={selectedIds}
        />
      </ListQuery.Provider>
      <p class="muted">
        {words.legend} {words.sortHint}
        {pending > 0 && ` ${listWords.scoresSoon}`}
        {!hasEarlier && model.rows.length > 0 && ` ${words.noChange}`}
        {sparksMissing !== null && ` ${listWords.spark}: ${texts.figure.unknown[sparksMissing]}.`}
      </p>
    </>
  );
}

/** On a narrow page the numbers follow the rank, before the wide picture. */
function inOrderOf(isNarrow: boolean, columns: Column<KeywordRow>[]): Column<KeywordRow>[] {
  if (!isNarrow) return columns;
  const isSpark = ({ key }: Column<KeywordRow>) => key === 'spark';
  return [...columns.filter((one) => !isSpark(one)), ...columns.filter(isSpark)];
}

function columnsFor({
  app,
  sparks,
  toggle,
  setFavorite,
  remove,
}: {
  app: KeywordsModel['app'];
  sparks: SparkReader;
  toggle: (row: KeywordRow) => void;
  setFavorite: (row: KeywordRow, isFavorite: boolean) => void;
  remove: (row: KeywordRow) => void;
}): Column<KeywordRow>[] {
  return [
    {
      key: 'keyword',
      label: listWords.keyword,
      cell: (row, isMarked) => (
        <div class="pick">
          <input
            type="checkbox"
            checked={isMarked}
            aria-label={words.select(row.keyword)}
            onChange={() => toggle(row)}
          />
          <button
            type="button"
            class="star plain"
            aria-pressed={row.isFavorite}
            aria-label={words.favorite(row.keyword)}
            onClick={() => setFavorite(row, !row.isFavorite)}
          >
            {row.isFavorite ? '★' : '☆'}
          </button>
          <KeywordLink app={app} row={row} />
        </div>
      ),
      sortBy: sortValues.keyword,
    },
    {
      key: 'rank',
      label: listWords.rank,
      isNumber: true,
      cell: ({ rank }) => <Value of={rank} />,
      sortBy: sortValues.rank,
    },
    {
      key: 'change',
      label: words.change,
      isNumber: true,
      cell: (row) => <Change change={row.change} status={row.status} />,
      sortBy: sortValues.change,
    },
    {
      key: 'spark',
      label: listWords.spark,
      cell: ({ id, keyword }) => <RowSpark id={id} keyword={keyword} reader={sparks} />,
    },
    {
      key: 'traffic',
      label: listWords.traffic,
      isNumber: true,
      cell: ({ traffic }) => <Value of={traffic} />,
      sortBy: sortValues.traffic,
    },
    {
      key: 'difficulty',
      label: listWords.difficulty,
      isNumber: true,
      cell: ({ difficulty }) => <Value of={difficulty} />,
      sortBy: sortValues.difficulty,
    },
    {
      key: 'kei',
      label: listWords.kei,
      isNumber: true,
      cell: ({ kei, keiReason }) => (
        <>
          <Value of={kei} decimals={1} />
          {keiReason !== null && (
            <>
              {describeFigure(kei).words === null ? ' ' : '; '}
              <small title={words.keiHeld[keiReason][1]}>{words.keiHeld[keiReason][0]}</small>
            </>
          )}
        </>
      ),
      sortBy: sortValues.kei,
    },
    {
      key: 'first',
      label: words.first,
      cell: ({ first }) =>
        first === null ? (
          words.noResults
        ) : (
          <CutName name={first.title ?? listWords.noTitle} lang={app.lang} />
        ),
    },
    {
      key: 'day',
      label: listWords.read,
      cell: ({ day }) => <span class="nowrap">{formatDay(day)}</span>,
      sortBy: sortValues.day,
    },
    {
      key: 'remove',
      label: words.removeColumn,
      cell: (row) => (
        <button
          type="button"
          class="plain"
          aria-label={words.remove(row.keyword)}
          onClick={() => remove(row)}
        >
          {words.removeShort}
        </button>
      ),
    },
  ];
}

function whyMissing(error: unknown): Unknown {
  return error instanceof ApiError && error.code === 'PLAN_LIMIT' ? 'not_in_plan' : 'no_answer';
}

function withToggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const changed = new Set(ids);
  if (!changed.delete(id)) changed.add(id);
  return changed;
}

function withRow(model: KeywordsModel, row: KeywordRow): KeywordsModel {
  return { ...model, rows: model.rows.map((one) => (one.id === row.id ? row : one)) };
}
