import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Spark } from '../../charts/spark.tsx';
import { readSparkText } from '../../charts/spark-text.ts';
import { numberOf } from '../../figure.ts';
import { callApi, callPage } from '../../parts/api.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { useKeys } from '../../parts/keys.ts';
import { Storefront } from '../../parts/shell.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { say } from '../../parts/toasts.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { Value } from '../../parts/value.tsx';
import { formatDay, formatNumber, texts } from '../../text/texts.ts';
import { AddKeywords } from './add-keywords.tsx';
import { Change } from './change.tsx';
import type { KeywordRow, KeywordsModel } from './model.ts';
import { trackKeywords } from './track-keywords.ts';

const words = texts.keywords;

/** While scores are being read the page looks again, less and less often. */
const [firstLookMs, lastLookMs] = [2000, 30_000];

export function Keywords({ model: first }: { model: KeywordsModel }) {
  const [model, setModel] = useState(first);
  const [error, setError] = useState<unknown>(null);
  const [address, setAddress] = useAddress({ q: '', sort: '', favorites: '' });
  const [at, setAt] = useState<string | null>(null);
  const filter = useRef<HTMLInputElement>(null);
  const { app } = model;

  const reload = useCallback(
    () =>
      callPage<{ model: KeywordsModel }>(`/dashboard/apps/${app.id}/keywords`).then(
        (answer) => setModel(answer.model),
        setError,
      ),
    [app.id],
  );
  usePendingLooks(model, reload);

  const rows = useMemo(() => {
    const part = address.q.trim().toLowerCase();
    return model.rows.filter(
      (row) => row.keyword.includes(part) && (address.favorites === '' || row.isFavorite),
    );
  }, [model, address.q, address.favorites]);

  const setFavorite = (row: KeywordRow, isFavorite: boolean) => {
    setModel((now) => withRow(now, { ...row, isFavorite }));
    callApi(`/keywords/${row.id}/apps/${app.id}/favorite`, {
      method: 'PATCH',
      body: { is_favorite: isFavorite },
    }).catch((err) => {
      setModel((now) => withRow(now, row));
      setError(err);
    });
  };
  const remove = (row: KeywordRow) => {
    setModel((now) => ({ ...now, rows: now.rows.filter(({ id }) => id !== row.id) }));
    const restore = () => trackKeywords(app, [row.keyword]).then(reload, setError);
    callApi(`/keywords/${row.id}/apps/${app.id}`, { method: 'DELETE' }).then(
      () => say(words.removed(row.keyword), () => void restore()),
      (err) => {
        setError(err);
        void reload();
      },
    );
  };

  const move = (by: number) => {
    const index = rows.findIndex(({ id }) => id === at);
    const next = rows[Math.max(0, Math.min(rows.length - 1, index + by))];
    if (!next) return;
    setAt(next.id);
    document.querySelector(`[data-row="${next.id}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const current = rows.find(({ id }) => id === at);
  useKeys({
    '/': () => filter.current?.focus(),
    j: () => move(1),
    k: () => move(-1),
    f: () => current && setFavorite(current, !current.isFavorite),
    Enter: () => current && location.assign(addressOf(app.id, current.id)),
  });

  const columns = columnsFor({ appId: app.id, days: model.days, setFavorite, remove });
  return (
    <>
      <p>
        <Storefront app={app} />
      </p>
      <AddKeywords app={app} onAdded={reload} />
      <ErrorNote error={error} />
      <div class="row">
        <div>
          <label for="filter">{words.filter}</label>
          <input
            id="filter"
            ref={filter}
            value={address.q}
            onInput={(event) => setAddress({ q: event.currentTarget.value })}
          />
        </div>
        <label class="check">
          <input
            type="checkbox"
            checked={address.favorites !== ''}
            onChange={(event) => setAddress({ favorites: event.currentTarget.checked ? 'yes' : '' })}
          />
          {words.onlyFavorites}
        </label>
      </div>
      <p class="muted" role="status">
        {texts.table.shown(formatNumber(rows.length), formatNumber(model.rows.length))}
        {model.hasMore && ` ${words.hasMore}`}
      </p>
      <Table
        caption={words.caption}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        sort={toSort(address.sort)}
        onSort={({ key, isDescending }) => setAddress({ sort: isDescending ? `-${key}` : key })}
        selected={at}
      />
    </>
  );
}

function columnsFor({
  appId,
  days,
  setFavorite,
  remove,
}: {
  appId: string;
  days: KeywordsModel['days'];
  setFavorite: (row: KeywordRow, isFavorite: boolean) => void;
  remove: (row: KeywordRow) => void;
}): Column<KeywordRow>[] {
  return [
    {
      key: 'keyword',
      label: words.keyword,
      cell: (row) => (
        <>
          <button
            type="button"
            class="star plain"
            aria-pressed={row.isFavorite}
            aria-label={words.favorite(row.keyword)}
            onClick={() => setFavorite(row, !row.isFavorite)}
          >
            {row.isFavorite ? '★' : '☆'}
          </button>{' '}
          <a href={addressOf(appId, row.id)}>
            <bdi>{row.keyword}</bdi>
          </a>
        </>
      ),
      sortBy: ({ keyword }) => keyword,
    },
    {
      key: 'rank',
      label: words.rank,
      isNumber: true,
      cell: ({ rank }) => <Value of={rank} />,
      sortBy: ({ rank }) => numberOf(rank),
    },
    {
      key: 'change',
      label: words.change,
      isNumber: true,
      cell: (row) => <Change change={row.change} status={row.status} />,
      sortBy: ({ change }) => numberOf(change),
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
      sortBy: ({ traffic }) => numberOf(traffic),
    },
    {
      key: 'difficulty',
      label: words.difficulty,
      isNumber: true,
      cell: ({ difficulty }) => <Value of={difficulty} />,
      sortBy: ({ difficulty }) => numberOf(difficulty),
    },
    {
      key: 'first',
      label: words.first,
      cell: ({ first }) => <bdi dir="auto">{first ?? words.noResults}</bdi>,
    },
    {
      key: 'day',
      label: words.read,
      cell: ({ day }) => <span class="nowrap">{formatDay(day)}</span>,
      sortBy: ({ day }) => day,
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

function toSort(text: string) {
  if (text === '') return null;
  return { key: text.replace(/^-/, ''), isDescending: text.startsWith('-') };
}

function withRow(model: KeywordsModel, row: KeywordRow): KeywordsModel {
  return { ...model, rows: model.rows.map((one) => (one.id === row.id ? row : one)) };
}

/** Looks again while a row is pending: after 2 s, then each time half as long again, at most every 30 s. */
function usePendingLooks(model: KeywordsModel, reload: () => Promise<void>): void {
  const wait = useRef(firstLookMs);
  const isPending = model.rows.some(
    ({ traffic, difficulty }) => traffic.state === 'pending' || difficulty.state === 'pending',
  );
  useEffect(() => {
    if (!isPending) {
      wait.current = firstLookMs;
      return;
    }
    const timer = setTimeout(() => void reload(), wait.current);
    wait.current = Math.min(lastLookMs, wait.current * 1.5);
    return () => clearTimeout(timer);
  }, [model, isPending, reload]);
}
