import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Spark } from '../../charts/spark.tsx';
import { readSparkText } from '../../charts/spark-text.ts';
import { callPage } from '../../parts/api.ts';
import { callPatiently } from '../../parts/call-each.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { FilterChips } from '../../parts/filter-chips.tsx';
import { useKeys } from '../../parts/keys.ts';
import { saveFile } from '../../parts/save-file.ts';
import { Storefront } from '../../parts/shell.tsx';
import { readSort } from '../../parts/sort-rows.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { say } from '../../parts/toasts.tsx';
import { toQuery, useAddress } from '../../parts/use-address.ts';
import { Value } from '../../parts/value.tsx';
import { formatDay, formatNumber, isolated, texts } from '../../text/texts.ts';
import { AddKeywords } from './add-keywords.tsx';
import { BulkActions, callFavorite, callRemove } from './bulk-actions.tsx';
import { Change } from './change.tsx';
import { filters, sortValues, viewList, wholeList } from './list-view.ts';
import type { KeywordRow, KeywordsModel } from './model.ts';
import { toCsv } from './to-csv.ts';
import { trackKeywords } from './track-keywords.ts';

const words = texts.keywords;

/** While scores are being read the page looks again, less and less often. */
const [firstLookMs, lastLookMs] = [2000, 30_000];

export function Keywords({ model: first }: { model: KeywordsModel }) {
  const [model, setModel] = useState(first);
  const [error, setError] = useState<unknown>(null);
  const [address, setAddress] = useAddress(wholeList);
  const [at, setAt] = useState<string | null>(null);
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const filter = useRef<HTMLInputElement>(null);
  const { app } = model;

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
  usePendingLooks(model, reload);

  const rows = useMemo(() => viewList(model.rows, address), [model, address]);
  const selected = model.rows.filter(({ id }) => selectedIds.has(id));
  const select = (chosen: readonly KeywordRow[]) => setSelectedIds(new Set(chosen.map(({ id }) => id)));
  const toggle = (row: KeywordRow) =>
    select(selectedIds.has(row.id) ? selected.filter(({ id }) => id !== row.id) : [...selected, row]);

  const setFavorite = (row: KeywordRow, isFavorite: boolean) => {
    setModel((now) => withRow(now, { ...row, isFavorite }));
    callFavorite(app, row, isFavorite).catch((err) => {
      setModel((now) => withRow(now, row));
      setError(err);
    });
  };
  const remove = (row: KeywordRow) => {
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
  };
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

  const columns = columnsFor({
    appId: app.id,
    query,
    days: model.days,
    selectedIds,
    toggle,
    setFavorite,
    remove,
  });
  return (
    <>
      <p>
        <Storefront app={app} />
      </p>
      <AddKeywords app={app} onAdded={reload} />
      <ErrorNote error={error} onRetry={() => void reload()} />
      {model.rows.length === 0 && <p>{words.empty}</p>}
      <div class="row">
        <div>
          <label for="filter">{words.filter}</label>
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
      <FilterChips filters={filters} words={words.filters} fields={address} onChange={setAddress} />
      <BulkActions app={app} selected={selected} shown={rows} onSelect={select} onChanged={reload} />
      <p class="muted" role="status">
        {texts.table.shown(formatNumber(rows.length), formatNumber(model.rows.length))}
        {model.hasMore && ` ${words.hasMore}`}
      </p>
      <Table
        caption={words.caption}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        sort={readSort(address.sort)}
        onSort={({ key, isDescending }) => setAddress({ sort: isDescending ? `-${key}` : key })}
        selected={at}
      />
      <p class="muted">
        {words.legend}
        {model.sparksMissing !== null && ` ${words.spark}: ${texts.figure.unknown[model.sparksMissing]}.`}
      </p>
    </>
  );
}

function columnsFor({
  appId,
  query,
  days,
  selectedIds,
  toggle,
  setFavorite,
  remove,
}: {
  appId: string;
  /** the view of the list, which its links keep */
  query: string;
  days: KeywordsModel['days'];
  selectedIds: ReadonlySet<string>;
  toggle: (row: KeywordRow) => void;
  setFavorite: (row: KeywordRow, isFavorite: boolean) => void;
  remove: (row: KeywordRow) => void;
}): Column<KeywordRow>[] {
  return [
    {
      key: 'keyword',
      label: words.keyword,
      cell: (row) => (
        <>
          <input
            type="checkbox"
            checked={selectedIds.has(row.id)}
            aria-label={words.select(row.keyword)}
            onChange={() => toggle(row)}
          />{' '}
          <button
            type="button"
            class="star plain"
            aria-pressed={row.isFavorite}
            aria-label={words.favorite(row.keyword)}
            onClick={() => setFavorite(row, !row.isFavorite)}
          >
            {row.isFavorite ? '★' : '☆'}
          </button>{' '}
          <a href={`${addressOf(appId, row.id)}${query}`}>
            <bdi>{row.keyword}</bdi>
          </a>
        </>
      ),
      sortBy: sortValues.keyword,
    },
    {
      key: 'rank',
      label: words.rank,
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
      label: words.spark,
      cell: ({ keyword, spark }) =>
        spark !== null &&
        days !== null && (
          <Spark
            from={days.from}
            to={days.to}
            read={readSparkText(days.from, days.to, spark)}
            sentence={words.sparkOf(keyword)}
          />
        ),
    },
    {
      key: 'traffic',
      label: words.traffic,
      isNumber: true,
      cell: ({ traffic }) => <Value of={traffic} />,
      sortBy: sortValues.traffic,
    },
    {
      key: 'difficulty',
      label: words.difficulty,
      isNumber: true,
      cell: ({ difficulty }) => <Value of={difficulty} />,
      sortBy: sortValues.difficulty,
    },
    {
      key: 'kei',
      label: words.kei,
      isNumber: true,
      cell: ({ kei }) => <Value of={kei} />,
      sortBy: sortValues.kei,
    },
    {
      key: 'first',
      label: words.first,
      cell: ({ first }) =>
        first === null ? words.noResults : <bdi dir="auto">{first.title ?? texts.keyword.noTitle}</bdi>,
    },
    {
      key: 'day',
      label: words.read,
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

function addressOf(appId: string, keywordId: string): string {
  return `/dashboard/apps/${appId}/keywords/${keywordId}`;
}

function withRow(model: KeywordsModel, row: KeywordRow): KeywordsModel {
  return { ...model, rows: model.rows.map((one) => (one.id === row.id ? row : one)) };
}

/** Looks again while a row is pending, also when a look fails: after 2 s, then each time half as long again, at most every 30 s. */
function usePendingLooks(model: KeywordsModel, reload: () => Promise<void>): void {
  const wait = useRef(firstLookMs);
  const [looks, setLooks] = useState(0);
  const isPending = model.rows.some(({ traffic, difficulty, kei }) =>
    [traffic, difficulty, kei].some(({ state }) => state === 'pending'),
  );
  useEffect(() => {
    if (!isPending) {
      wait.current = firstLookMs;
      return;
    }
    const timer = setTimeout(() => void reload().finally(() => setLooks(looks + 1)), wait.current);
    wait.current = Math.min(lastLookMs, wait.current * 1.5);
    return () => clearTimeout(timer);
  }, [looks, isPending, reload]);
}
