import { useCallback, useState } from 'preact/hooks';
import * as texts from '#texts';
import { MarkList } from '../../charts/marks.tsx';
import { RankChart } from '../../charts/rank-chart.tsx';
import { numberOf } from '../../figure.ts';
import { callPage } from '../../parts/api.ts';
import { ApiText } from '../../parts/api-text.tsx';
import { Arrivals } from '../../parts/arrivals.tsx';
import { CutName } from '../../parts/cut-name.tsx';
import { Missing } from '../../parts/missing.tsx';
import { nameOfChange } from '../../parts/name-of-change.ts';
import { Scroll } from '../../parts/scroll.tsx';
import { Storefront, StoreText } from '../../parts/shell.tsx';
import { Tile } from '../../parts/tile.tsx';
import { useLooks } from '../../parts/use-looks.ts';
import { Value } from '../../parts/value.tsx';
import { formatDay, formatNumber, formatTime } from '../../text/format.ts';
import { marksOf } from '../../timeline.ts';
import { Change } from '../keywords/change.tsx';
import { hasPendingScores } from '../keywords/has-pending-scores.ts';
import { Favorite } from './favorite.tsx';
import { FirstResults } from './first-results.tsx';
import { KeiOpened, KeiRating } from './kei.tsx';
import type { KeywordModel, ScorePart } from './model.ts';
import { Neighbors } from './neighbors.tsx';
import { RankTable } from './rank-table.tsx';
import { RelatedTerms } from './related-terms.tsx';
import { ScoreHistory } from './score-history.tsx';

const words = texts.keyword;

export function Keyword({ model: first }: { model: KeywordModel }) {
  const [model, setModel] = useState(first);
  // A look that fails changes nothing: another one follows.
  const reload = useCallback(
    () =>
      callPage<{ model: KeywordModel }>(location.pathname).then(
        (answer) => setModel(answer.model),
        () => {},
      ),
    [],
  );
  const isPending = hasPendingScores(model);
  useLooks(isPending, reload);
  const own = model.series.find(({ isOwn }) => isOwn);
  const read = own?.read.length ?? 0;
  const marks = marksOf(model.timeline, nameOfChange);
  const cards = [
    [texts.keywordList.rank, model.rank, model.change],
    [texts.keywordList.traffic, model.traffic, null],
    [texts.keywordList.difficulty, model.difficulty, null],
    [texts.keywordList.kei, model.kei, null],
  ] as const;
  return (
    <>
      <p>
        <StoreText app={model.app} /> <Storefront app={model.app} />
      </p>
      <Favorite model={model} />
      <Neighbors appId={model.app.id} keywordId={model.keyword.id} />
      <dl class="cards">
        {cards.map(([label, figure, change]) => (
          <div class="card" key={label}>
            <dt>{label}</dt>
            <dd>
              <Value of={figure} decimals={label === texts.keywordList.kei ? 1 : undefined} />
            </dd>
            {change && (
              <dd class="more">
                {words.rankRead(formatDay(model.resultsDay))} {words.changeSince(formatDay(change.since))}{' '}
                <Change change={change.places} status={change.status} />
              </dd>
            )}
          </div>
        ))}
      </dl>
      <p class="muted">
        {model.scoredAt !== null && words.scored(formatTime(model.scoredAt))}{' '}
        {isPending && texts.keywordList.scoresSoon}
      </p>
      <Arrivals pending={isPending ? 1 : 0} words={texts.keywordList.arrived} />
      <KeiRating rating={model.keiRating} />
      <h2>{words.history}</h2>
      <RankChart
        from={model.from}
        to={model.to}
        blockedFrom={model.blockedFrom}
        marks={marks}
        sentence={words.historyOf(formatNumber(read), formatDay(model.from), formatDay(model.to))}
        series={model.series.map(({ id, name, isOwn, read: days }) => ({
          id,
          name,
          isOwn,
          read: days.map(({ date, rank }) => ({ date, rank: numberOf(rank) })),
        }))}
      />
      <MarkList marks={marks} from={model.from} to={model.to} />
      {model.series.length > 1 && (
        <ul class="legend">
          {model.series.map(({ id, name, isOwn }, index) => (
            <li key={id} class={`series tone-${isOwn ? 0 : index}${isOwn ? ' own' : ''}`}>
              <CutName name={name} lang={model.app.lang}>
                <Tile name={name} />
              </CutName>
            </li>
          ))}
        </ul>
      )}
      <RankTable model={model} />
      <FirstResults model={model} />
      <h2>{words.opened}</h2>
      {model.scoringVersion === null ? (
        <Missing reason={model.scoresMissing} nothing={texts.figure.pending} />
      ) : (
        <p>{words.version(model.scoringVersion)}</p>
      )}
      <Parts of="traffic" parts={model.trafficParts} />
      <Parts of="difficulty" parts={model.difficultyParts} />
      <KeiOpened />
      {model.notes.map((note) => (
        <p key={note}>
          <ApiText>{note}</ApiText>
        </p>
      ))}
      <h3>{words.inputs}</h3>
      <ul class="list">
        {model.inputs.map(({ name, note, readAt, source, age }) => (
          <li key={name}>
            <ApiText>{`${name}: ${note}`}</ApiText>{' '}
            {readAt !== null && (
              <span class="muted">
                {formatTime(readAt)}
                {source !== null && (
                  <>
                    , <ApiText>{source}</ApiText>
                  </>
                )}
                {sayAge(numberOf(age))}
              </span>
            )}
          </li>
        ))}
      </ul>
      <ScoreHistory model={model} marks={marks} />
      <RelatedTerms model={model} />
    </>
  );
}

function sayAge(days: number | null): string | null {
  if (days === null) return null;
  return `, ${days === 0 ? words.ageToday : words.age(formatNumber(days))}`;
}

/** Bars of a score's parts: how long each is, and how much it weighs. */
function Parts({ of, parts }: { of: 'traffic' | 'difficulty'; parts: readonly ScorePart[] }) {
  if (parts.length === 0) return null;
  const title = texts.keywordList[of];
  return (
    <>
      <h3>{title}</h3>
      <p class="muted">{words.partsHint[of]}</p>
      <Scroll label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.part}</th>
              <th scope="col">{words.valueHeads[of]}</th>
              <th scope="col" class="n">
                {words.points}
              </th>
            </tr>
          </thead>
          <tbody>
            {parts.map(({ name, value, points, maxPoints }) => (
              <tr key={name}>
                <th scope="row">
                  {words.parts[of][name]?.[0] ?? <ApiText>{name}</ApiText>}
                  <br />
                  <small>{words.parts[of][name]?.[1]}</small>
                </th>
                <td class="figure">
                  {numberOf(value) !== null && (
                    <meter
                      min={0}
                      max={1}
                      value={numberOf(value) ?? 0}
                      aria-label={words.parts[of][name]?.[0] ?? name}
                    />
                  )}{' '}
                  <Value of={value} decimals={2} />
                </td>
                <td class="n">
                  <Value of={points} decimals={1} />
                  {numberOf(points) !== null && (
                    <>
                      {' / '}
                      <Value of={maxPoints} decimals={1} />
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}
