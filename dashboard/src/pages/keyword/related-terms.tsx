import { useState } from 'preact/hooks';
import * as texts from '#texts';
import { ApiText } from '../../parts/api-text.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Missing } from '../../parts/missing.tsx';
import { Value } from '../../parts/value.tsx';
import { type Outcome, trackKeywords } from '../keywords/track-keywords.ts';
import type { KeywordModel } from './model.ts';

const words = texts.keyword.related;

/** Keywords of the titles that rank, each with a button that tracks it for the app. */
export function RelatedTerms({ model: { app, related, scoresMissing } }: { model: KeywordModel }) {
  const [outcomes, setOutcomes] = useState<Readonly<Record<string, Outcome>>>({});
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const track = (keyword: string) => {
    setError(null);
    setIsBusy(true);
    trackKeywords(app, [keyword])
      .then(([outcome]) => outcome && setOutcomes((now) => ({ ...now, [keyword]: outcome })), setError)
      .finally(() => setIsBusy(false));
  };
  return (
    <>
      <h2>{words.title}</h2>
      {related === null && <Missing reason={scoresMissing} nothing={words.notRead} />}
      {related?.length === 0 && <p class="muted">{words.none}</p>}
      <ul class="list">
        {related?.map(({ keyword, traffic }) => (
          <li key={keyword}>
            <bdi lang={app.lang}>{keyword}</bdi>{' '}
            <span class="muted">
              {texts.keywordList.traffic} <Value of={traffic} />
            </span>{' '}
            <button
              type="button"
              disabled={isBusy || outcomes[keyword]?.success !== undefined}
              aria-label={texts.trackApp.trackOne(keyword)}
              onClick={() => track(keyword)}
            >
              {texts.trackApp.track}
            </button>{' '}
            <span role="status">
              <ApiText>{outcomes[keyword]?.success ?? outcomes[keyword]?.error ?? ''}</ApiText>
            </span>
          </li>
        ))}
      </ul>
      <ErrorNote error={error} />
    </>
  );
}
