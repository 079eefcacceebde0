import { useRef, useState } from 'preact/hooks';
import * as texts from '#texts';
import { numberOf } from '../../figure.ts';
import type { AppHead, Frame } from '../../page-data.ts';
import { callApi } from '../../parts/api.ts';
import { ApiText } from '../../parts/api-text.tsx';
import { AppIcon } from '../../parts/app-icon.tsx';
import { CutName } from '../../parts/cut-name.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { useKeys } from '../../parts/keys.ts';
import { type Sort, sortRows } from '../../parts/sort-rows.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { say } from '../../parts/toasts.tsx';
import { trackApp } from '../../parts/track-app.tsx';
import { Value } from '../../parts/value.tsx';
import { formatDay, formatTime, isolated } from '../../text/format.ts';
import { Change } from '../keywords/change.tsx';
import type { ChartRow, ChartsModel } from './model.ts';

const words = texts.charts;

export function Charts({ model, frame }: { model: ChartsModel; frame: Frame }) {
  const { asked, chart } = model;
  return (
    <>
      <Choice model={model} />
      {model.problem !== null && (
        <p class="note error">
          <ApiText>{model.problem}</ApiText>
        </p>
      )}
      {chart === null ? (
        model.problem === null && <Unread asked={asked} />
      ) : (
        <>
          <p class="muted">
            {words.readAt(formatDay(chart.day), formatTime(chart.readAt))}
            {!model.areRivalsKnown && ` ${words.rivalsUnknown}`}
          </p>
          <Rows chart={chart} asked={asked} apps={frame.apps} />
        </>
      )}
    </>
  );
}

/** A form whose address names the chart: it works without a script, and can be kept and passed on. */
function Choice({ model }: { model: ChartsModel }) {
  const [store, setStore] = useState(model.asked.store);
  const categories = model.categories[store];
  const isSameStore = store === model.asked.store;
  return (
    <form class="row" action="/dashboard/charts" method="get">
      <div class="short">
        <label for="store">{texts.trackApp.store}</label>
        <select
          id="store"
          name="store"
          value={store}
          onChange={(event) => setStore(event.currentTarget.value as ChartsModel['asked']['store'])}
        >
          <option value="ITUNES">{texts.store.ITUNES}</option>
          <option value="GPLAY">{texts.store.GPLAY}</option>
        </select>
      </div>
      <div class="short">
        <label for="country">{texts.trackApp.country}</label>
        <input
          id="country"
          name="country"
          required
          maxLength={2}
          defaultValue={model.asked.country}
          spellcheck={false}
        />
      </div>
      <div>
        <label for="category">{words.category}</label>
        <select id="category" name="category" key={store}>
          {categories.map(({ key, label }) => (
            <option key={key} lang="en" value={key} selected={isSameStore && key === model.asked.category}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <div class="short">
        <label for="collection">{words.collection}</label>
        <select id="collection" name="collection">
          {model.collections.map((one) => (
            <option key={one} value={one} selected={one === model.asked.collection}>
              {words.collections[one] ?? one}
            </option>
          ))}
        </select>
      </div>
      <button class="main" type="submit">
        {words.show}
      </button>
    </form>
  );
}

/** Nobody has asked for this chart today: reading it spends a request, and the button says so. */
function Unread({ asked }: { asked: ChartsModel['asked'] }) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const read = () => {
    setError(null);
    setIsBusy(true);
    callApi(`/top-charts?${new URLSearchParams({ ...asked, limit: '1' })}`, { method: 'GET' })
      .then(() => location.reload())
      .catch((failure: unknown) => {
        setError(failure);
        setIsBusy(false);
      });
  };
  return (
    <>
      <p>{words.unread}</p>
      <button class="main" type="button" disabled={isBusy} onClick={read}>
        {isBusy ? words.reading : words.read}
      </button>
      <ErrorNote error={error} onRetry={read} />
    </>
  );
}

function Rows({
  chart,
  asked,
  apps,
}: {
  chart: NonNullable<ChartsModel['chart']>;
  asked: ChartsModel['asked'];
  apps: readonly AppHead[];
}) {
  const [sort, setSort] = useState<Sort | null>(null);
  const [marks, setMarks] = useState<Readonly<Record<string, ChartRow['mark']>>>({});
  const [text, setText] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const filter = useRef<HTMLInputElement>(null);
  useKeys({ '/': () => filter.current?.focus() });
  // A competitor belongs to an app of the same storefront.
  const owners = apps.filter(({ store, country }) => store === asked.store && country === asked.country);
  const [ownerId, setOwnerId] = useState(owners[0]?.id ?? '');
  const owner = owners.find(({ id }) => id === ownerId);
  const wanted = text.trim().toLowerCase();
  const rows = chart.rows
    .map((row) => ({ ...row, mark: marks[row.appId] ?? row.mark }))
    .filter(({ title, developer, appId }) =>
      [title, developer, appId].some((one) => one?.toLowerCase().includes(wanted)),
    );

  const run = (row: ChartRow, work: () => Promise<void>) => {
    setError(null);
    setBusy(row.appId);
    work()
      .catch(setError)
      .finally(() => setBusy(null));
  };
  const track = (row: ChartRow) =>
    run(row, () =>
      trackApp({
        app_id: row.appId,
        store: asked.store,
        country: asked.country,
        lang: owner?.lang ?? 'en-US',
      }),
    );
  const addRival = (row: ChartRow, { id, store, country, lang, title, storeId }: AppHead) =>
    run(row, async () => {
      const body = { app_id: Number(id), competitor_app_id: row.appId, store, country, lang };
      await callApi('/competitors', { method: 'POST', body });
      setMarks((now) => ({ ...now, [row.appId]: 'rival' }));
      say(words.added(isolated(row.title ?? row.appId), isolated(title ?? storeId)));
    });

  const columns: Column<ChartRow>[] = [
    {
      key: 'title',
      label: words.app,
      cell: ({ title, appId, hasIcon, mark }) => (
        <>
          <CutName name={title ?? appId}>
            <AppIcon store={asked.store} id={appId} name={title} hasIcon={hasIcon} />
          </CutName>
          {mark !== null && (
            <>
              {' '}
              <strong class={`mark ${mark}`}>{words.marks[mark]}</strong>
            </>
          )}
        </>
      ),
      sortBy: ({ title, appId }) => title ?? appId,
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
      cell: ({ change, status }) => <Change change={change} status={status} />,
      sortBy: ({ change }) => numberOf(change),
    },
    {
      key: 'developer',
      label: words.developer,
      cell: ({ developer }) => developer !== null && <CutName name={developer} />,
    },
    {
      key: 'rating',
      label: words.rating,
      isNumber: true,
      cell: ({ rating }) => <Value of={rating} decimals={2} />,
      sortBy: ({ rating }) => numberOf(rating),
    },
    {
      key: 'actions',
      label: words.actions,
      cell: (row) =>
        row.mark === 'own' ? null : (
          <span class="nowrap">
            <button
              type="button"
              disabled={busy !== null}
              aria-label={texts.trackApp.trackOne(row.title ?? row.appId)}
              onClick={() => track(row)}
            >
              {texts.trackApp.track}
            </button>{' '}
            {owner && row.mark === null && (
              <button
                type="button"
                disabled={busy !== null}
                aria-label={words.addOf(row.title ?? row.appId)}
                onClick={() => addRival(row, owner)}
              >
                {words.add}
              </button>
            )}
          </span>
        ),
    },
  ];
  return (
    <>
      <div class="row">
        <div>
          <label for="filter">{texts.keywordList.filter}</label>
          <input
            id="filter"
            ref={filter}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
          />
        </div>
        {owners.length > 0 && (
          <div>
            <label for="owner">{words.owner}</label>
            <select id="owner" value={ownerId} onChange={(event) => setOwnerId(event.currentTarget.value)}>
              {owners.map(({ id, title, storeId, lang }) => (
                <option key={id} value={id} lang={lang}>{`${title ?? storeId} (${lang})`}</option>
              ))}
            </select>
          </div>
        )}
      </div>
      <ErrorNote error={error} />
      <Table
        caption={words.caption}
        columns={columns}
        rows={sortRows(rows, sort, columns.find(({ key }) => key === sort?.key)?.sortBy)}
        rowKey={({ appId }) => appId}
        sort={sort}
        onSort={setSort}
      />
    </>
  );
}
