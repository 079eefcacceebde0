import { useCallback, useEffect, useState } from 'preact/hooks';
import * as texts from '#texts';
import { numberOf } from '../../figure.ts';
import type { AppHead, Frame, PageData } from '../../page-data.ts';
import { callApi, callPage } from '../../parts/api.ts';
import { ApiText } from '../../parts/api-text.tsx';
import { callPatiently } from '../../parts/call-each.ts';
import { CutName } from '../../parts/cut-name.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { type Sort, sortRows } from '../../parts/sort-rows.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Value } from '../../parts/value.tsx';
import { formatTime } from '../../text/format.ts';
import type { KeywordsModel } from '../keywords/model.ts';
import { ClusterCard } from './cluster-card.tsx';
import type { NichesModel, Topic } from './model.ts';
import { type TrackedRanks, toTrackedRanks } from './tracked-ranks.ts';

const words = texts.niches;
/** How often the page looks how far an analysis is. */
const lookEveryMs = 3000;

export function Niches({ model: first, frame }: { model: NichesModel; frame: Frame }) {
  const [model, setModel] = useState(first);
  const [isAsking, setIsAsking] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { asked, analysis, progress } = model;
  const isUnderWay = isAsking || progress !== null;
  /** It has ended, but is not kept for this account yet, or has failed: one more look tells. */
  const [isEnding, setIsEnding] = useState(false);
  const look = async (topic: Topic) => {
    const data = await callPage<PageData>(addressOf(topic));
    if (data.page !== 'niches') return;
    setIsEnding(progress !== null && data.model.progress === null && data.model.analysis === null);
    setModel(data.model);
  };
  useEffect(() => {
    if (!asked || !(isUnderWay || isEnding)) return;
    const timer = setTimeout(() => void look(asked).catch(setError), lookEveryMs);
    return () => clearTimeout(timer);
  }, [model, isUnderWay, isEnding]);

  /** Once it runs, the analysis goes on when the page is left: its address shows how far it is. */
  const analyze = async (topic: Topic) => {
    setError(null);
    setIsAsking(true);
    history.replaceState(null, '', addressOf(topic));
    setModel((now) => ({ ...now, asked: topic, analysis: null, progress: null, problem: null }));
    try {
      await callApi(`/niches?${new URLSearchParams(topic)}`, { method: 'GET' });
      await look(topic);
    } catch (failure) {
      setError(failure);
    }
    setIsAsking(false);
  };

  return (
    <>
      <Ask asked={asked} app={frame.apps[0]} isBusy={isUnderWay} onAsk={(topic) => void analyze(topic)} />
      <p class="muted">{words.cost}</p>
      <ErrorNote error={error} />
      {model.problem !== null && (
        <p class="note error">
          <ApiText>{model.problem}</ApiText>
        </p>
      )}
      {asked && isUnderWay && <Progress topic={asked} progress={progress} />}
      {((analysis?.clusters.length ?? 0) > 0 || model.past.length > 0) && <p class="muted">{words.legend}</p>}
      {asked && analysis && (
        <Analysis key={analysis.analyzedAt} topic={asked} analysis={analysis} apps={frame.apps} />
      )}
      {asked && !analysis && !isUnderWay && model.problem === null && <p class="muted">{words.notKept}</p>}
      <h2>{words.past}</h2>
      {!model.isPastKnown ? (
        <p class="muted">{texts.figure.unknown.no_answer}</p>
      ) : model.past.length === 0 ? (
        <p class="muted">{words.noPast}</p>
      ) : (
        <Past model={model} />
      )}
    </>
  );
}

function Ask({
  asked,
  app,
  isBusy,
  onAsk,
}: {
  asked: Topic | null;
  app: AppHead | undefined;
  isBusy: boolean;
  onAsk: (topic: Topic) => void;
}) {
  const first = asked ?? app;
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        const fields = new FormData(event.currentTarget as HTMLFormElement);
        const text = (name: string) => String(fields.get(name)).trim();
        onAsk({
          topic: text('topic'),
          store: text('store') === 'GPLAY' ? 'GPLAY' : 'ITUNES',
          country: text('country').toUpperCase(),
          lang: text('lang'),
        });
      }}
    >
      <div>
        <label for="topic">{words.topic}</label>
        <input id="topic" name="topic" required maxLength={100} defaultValue={asked?.topic ?? ''} />
      </div>
      <div class="short">
        <label for="store">{texts.trackApp.store}</label>
        <select id="store" name="store">
          {(['ITUNES', 'GPLAY'] as const).map((store) => (
            <option key={store} value={store} selected={store === first?.store}>
              {texts.store[store]}
            </option>
          ))}
        </select>
      </div>
      <div class="short">
        <label for="country">{texts.trackApp.country}</label>
        <input
          id="country"
          name="country"
          required
          maxLength={2}
          defaultValue={first?.country ?? 'US'}
          spellcheck={false}
        />
      </div>
      <div class="short">
        <label for="lang">{texts.trackApp.lang}</label>
        <input id="lang" name="lang" required defaultValue={first?.lang ?? 'en-US'} spellcheck={false} />
      </div>
      <button class="main" type="submit" disabled={isBusy}>
        {words.submit}
      </button>
    </form>
  );
}

function Progress({ topic, progress }: { topic: Topic; progress: NichesModel['progress'] }) {
  return (
    <div class="note" role="status">
      <p>
        <strong>{words.underWay(topic.topic)}</strong> {stateOf(progress)}
      </p>
      {progress?.isRunning && numberOf(progress.candidates) !== null && (
        <p>
          <progress
            max={numberOf(progress.candidates) ?? 1}
            value={numberOf(progress.read) ?? 0}
            aria-label={words.read}
          />{' '}
          {words.read} <Value of={progress.read} /> {words.of} <Value of={progress.candidates} />
        </p>
      )}
      <p class="muted">{progress?.isRunning ? words.canLeave : words.mustStay}</p>
    </div>
  );
}

function stateOf(progress: NichesModel['progress']) {
  if (progress === null) return words.starting;
  if (progress.isRunning) return words.phases[progress.phase ?? ''] ?? words.running;
  return (
    <>
      {words.waiting} <Value of={progress.ahead} />
    </>
  );
}

function Analysis({
  topic,
  analysis,
  apps,
}: {
  topic: Topic;
  analysis: NonNullable<NichesModel['analysis']>;
  apps: readonly AppHead[];
}) {
  const owners = apps.filter(
    ({ store, country, lang }) => store === topic.store && country === topic.country && lang === topic.lang,
  );
  const [ownerId, setOwnerId] = useState(owners[0]?.id ?? '');
  const { ranks, readRanks } = useTrackedRanks(ownerId);
  return (
    <section>
      <h2>
        <bdi>{topic.topic}</bdi>
      </h2>
      <p class="muted">
        {words.analyzed(formatTime(analysis.analyzedAt))} {words.keywords} <Value of={analysis.keywords} />
        {' · '}
        {words.leftOut} <Value of={analysis.leftOut} />
      </p>
      {analysis.warnings.map((warning) => (
        <p key={warning} class="note warn">
          {words.warnings[warning] ?? warning}
        </p>
      ))}
      {analysis.clusters.length > 0 &&
        (owners.length > 0 ? (
          <p>
            <label for="owner">{words.owner}</label>
            <select id="owner" value={ownerId} onChange={(event) => setOwnerId(event.currentTarget.value)}>
              {owners.map(({ id, title, storeId }) => (
                <option key={id} value={id} lang={topic.lang}>
                  {title ?? storeId}
                </option>
              ))}
            </select>
          </p>
        ) : (
          <p class="muted">{words.noOwner}</p>
        ))}
      <div class="clusters">
        {analysis.clusters.map((cluster) => (
          <ClusterCard
            key={cluster.name}
            cluster={cluster}
            lang={topic.lang}
            owner={owners.find(({ id }) => id === ownerId) ?? null}
            ranks={ranks}
            onTracked={readRanks}
          />
        ))}
      </div>
    </section>
  );
}

/** What an app tracks already, read after the page. Without an answer no keyword is marked. */
function useTrackedRanks(appId: string) {
  const [read, setRead] = useState<{ appId: string; ranks: TrackedRanks } | null>(null);
  const readRanks = useCallback(() => {
    if (appId === '') return;
    callPatiently(() => callPage<{ model: KeywordsModel }>(`/dashboard/apps/${appId}/keywords`)).then(
      ({ model }) => setRead({ appId, ranks: toTrackedRanks(model.rows) }),
      () => {},
    );
  }, [appId]);
  useEffect(readRanks, [readRanks]);
  return { ranks: read?.appId === appId ? read.ranks : null, readRanks };
}

type PastRow = NichesModel['past'][number];

const columns: Column<PastRow>[] = [
  {
    key: 'topic',
    label: words.topic,
    cell: (row) => (
      <a href={addressOf(row)}>
        <CutName name={row.topic} />
      </a>
    ),
    sortBy: ({ topic }) => topic,
  },
  {
    key: 'storefront',
    label: words.storefront,
    cell: ({ store, country, lang }) => `${texts.store[store]} · ${country} · ${lang}`,
    sortBy: ({ store, country, lang }) => `${store} ${country} ${lang}`,
  },
  {
    key: 'best',
    label: words.best,
    isNumber: true,
    cell: ({ best }) => <Value of={best} decimals={1} />,
    sortBy: ({ best }) => numberOf(best),
  },
  {
    key: 'clusters',
    label: words.clusters,
    isNumber: true,
    cell: ({ clusters }) => <Value of={clusters} />,
    sortBy: ({ clusters }) => numberOf(clusters),
  },
  {
    key: 'keywords',
    label: words.keywords,
    isNumber: true,
    cell: ({ keywords }) => <Value of={keywords} />,
    sortBy: ({ keywords }) => numberOf(keywords),
  },
  {
    key: 'analyzed',
    label: words.analyzedAt,
    cell: ({ analyzedAt }) =>
      analyzedAt === null ? texts.figure.unknown.not_read : <Time at={analyzedAt} />,
    sortBy: ({ analyzedAt }) => analyzedAt,
  },
];

function Past({ model }: { model: NichesModel }) {
  const [sort, setSort] = useState<Sort | null>(null);
  return (
    <>
      {model.hasMore && <p class="muted">{words.hasMore}</p>}
      <Table
        caption={words.past}
        columns={columns}
        rows={sortRows(model.past, sort, columns.find(({ key }) => key === sort?.key)?.sortBy)}
        rowKey={({ id }) => id}
        sort={sort}
        onSort={setSort}
      />
    </>
  );
}

function addressOf({ topic, store, country, lang }: Topic): string {
  return `/dashboard/niches?${new URLSearchParams({ topic, store, country, lang })}`;
}
