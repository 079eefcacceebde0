import { useEffect, useState } from 'preact/hooks';
import * as texts from '#texts';
import { callPage } from '../../parts/api.ts';
import { ApiText } from '../../parts/api-text.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import type { ConnectModel } from './model.ts';

const words = texts.connect;

/** Asks whether an assistant may use the account. */
export function Connect({ model }: { model: ConnectModel }) {
  return (
    <main id="main" class="narrow">
      <h1>{texts.titles.connect}</h1>
      <p class="muted">
        {words.signedInAs} <bdi>{model.email}</bdi>
      </p>
      {model.state === 'asking' && <Question model={model} />}
      {model.state !== 'asking' && (
        <div class="note error" role="alert">
          <p>
            <ApiText>{model.message}</ApiText>
          </p>
        </div>
      )}
      {model.state === 'refused' && (
        <p>
          <a href={model.declineUrl}>
            {words.back} <bdi>{model.redirectHost}</bdi>
          </a>
        </p>
      )}
    </main>
  );
}

function Question({ model }: { model: Extract<ConnectModel, { state: 'asking' }> }) {
  const [canWrite, setCanWrite] = useState(model.asksToWrite);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const isSeen = useIsSeen();
  const allow = () => {
    setIsBusy(true);
    setError(null);
    const body = { query: location.search.slice(1), can_write: canWrite };
    callPage<{ data: { address: string } }>('/dashboard/connect', { method: 'POST', body }).then(
      ({ data }) => location.replace(data.address),
      (err: unknown) => {
        setError(err);
        setIsBusy(false);
      },
    );
  };
  return (
    <>
      <p>
        {words.callsItself}{' '}
        <strong>
          <bdi>{model.client}</bdi>
        </strong>
      </p>
      <dl>
        <dt>{words.sentTo}</dt>
        <dd>
          <bdi>{model.redirectHost}</bdi>
        </dd>
        <dt>{words.provenBy}</dt>
        <dd>{model.provenHost === null ? words.unproven : <bdi>{model.provenHost}</bdi>}</dd>
      </dl>
      <p>{words.onlyIf}</p>
      <h2>{words.allows}</h2>
      <ul class="list">
        <li>{words.read}</li>
        {model.canWrite && (
          <li>
            <label>
              <input
                type="checkbox"
                checked={canWrite}
                onChange={(event) => setCanWrite((event.currentTarget as HTMLInputElement).checked)}
              />{' '}
              {words.write}
            </label>
          </li>
        )}
      </ul>
      <p class="muted">{words.ends}</p>
      <p>
        <button type="button" class="main" disabled={isBusy || !isSeen} onClick={allow}>
          {words.allow}
        </button>{' '}
        <a href={model.declineUrl}>{words.decline}</a>
      </p>
      <ErrorNote error={error} />
    </>
  );
}

const seenAfterMs = 800;

/**
 * Whether the page has been in front for a moment. A page of another site could bring this one under the pointer between the two
 * clicks of a double click.
 */
function useIsSeen(): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restart = () => {
      clearTimeout(timer);
      setIsSeen(false);
      timer = setTimeout(() => setIsSeen(true), seenAfterMs);
    };
    restart();
    addEventListener('focus', restart);
    // A page that the browser has kept comes back as it was.
    addEventListener('pageshow', restart);
    document.addEventListener('visibilitychange', restart);
    return () => {
      clearTimeout(timer);
      removeEventListener('focus', restart);
      removeEventListener('pageshow', restart);
      document.removeEventListener('visibilitychange', restart);
    };
  }, []);
  return isSeen;
}
