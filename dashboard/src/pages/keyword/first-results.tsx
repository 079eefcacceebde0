import * as texts from '#texts';
import { numberOf } from '../../figure.ts';
import { AppIcon } from '../../parts/app-icon.tsx';
import { CutName } from '../../parts/cut-name.tsx';
import { Value } from '../../parts/value.tsx';
import { formatDay } from '../../text/format.ts';
import type { KeywordModel } from './model.ts';

const words = texts.keyword;

/** The first results of the store, with the row of the own app. */
export function FirstResults({ model }: { model: KeywordModel }) {
  const { app, results, resultsMissing } = model;
  return (
    <>
      <h2>{words.results}</h2>
      <p class="muted">
        {words.resultsOn(formatDay(model.resultsDay))}{' '}
        {resultsMissing !== null && words.fewerResults[resultsMissing]}
      </p>
      {results.length === 0 && <p>{words.noResults}</p>}
      <ol class="list">
        {results.map(({ appId, rank, title, hasIcon, isOwn, ratings }) => (
          <li key={appId} value={numberOf(rank) ?? undefined} class={isOwn ? 'own' : undefined}>
            <CutName name={title ?? texts.keywordList.noTitle} lang={app.lang}>
              <AppIcon store={app.store} id={appId} name={title} hasIcon={hasIcon} />
            </CutName>{' '}
            {isOwn && <span class="mark own">{words.yourApp}</span>}{' '}
            <span class="muted">
              {words.ratings} <Value of={ratings} />
            </span>
          </li>
        ))}
      </ol>
      {!results.some(({ isOwn }) => isOwn) && (
        <p>
          {words.ownRank} <Value of={model.rank} />
        </p>
      )}
    </>
  );
}
