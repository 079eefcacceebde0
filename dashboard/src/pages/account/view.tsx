import { useState } from 'preact/hooks';
import * as texts from '#texts';
import { numberOf } from '../../figure.ts';
import { callPage } from '../../parts/api.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { Value } from '../../parts/value.tsx';
import { formatNumber, formatTime, isolated } from '../../text/format.ts';
import { describeBrowser } from './describe-browser.ts';
import type { AccountModel } from './model.ts';

const words = texts.account;

export function Account({ model }: { model: AccountModel }) {
  return (
    <>
      <p>
        <bdi>{model.email}</bdi> · {sayPlan(model)}
      </p>
      <h2>{words.usage}</h2>
      <p class="muted">{words.renews(formatTime(model.renewsAt))}</p>
      <Scroll label={words.usage}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.feature}</th>
              <th scope="col">{words.used}</th>
              <th scope="col" class="n">
                {words.limit}
              </th>
            </tr>
          </thead>
          <tbody>
            {model.usage.map(({ name, used, limit }) => (
              <tr key={name}>
                <th scope="row">{words.features[name]}</th>
                <td>
                  {numberOf(limit) !== null && (
                    <meter
                      min={0}
                      max={numberOf(limit) ?? 1}
                      value={numberOf(used) ?? 0}
                      aria-label={words.features[name]}
                    />
                  )}{' '}
                  <Value of={used} />
                </td>
                <td class="n">
                  <Value of={limit} notApplicable={words.noLimit} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {model.hasApi && (
        <Key
          prefix={model.keyPrefix}
          madeAt={model.keyMadeAt}
          url={model.url}
          hasConnections={model.connections.length > 0}
        />
      )}
      {(model.hasApi || model.connections.length > 0) && <Connections model={model} />}
      <h2>{words.sessions}</h2>
      <Sessions sessions={model.sessions} />
    </>
  );
}

/** A plan without a cap on what is tracked still has one on requests. */
function sayPlan({ plan, usage }: AccountModel): string {
  const limit = usage.find(({ name }) => name === 'api_requests')?.limit;
  const most = limit ? numberOf(limit) : null;
  return most === null ? words.plan(plan) : words.planOf(plan, formatNumber(most));
}

function Key({
  prefix,
  madeAt,
  url,
  hasConnections,
}: {
  prefix: string;
  madeAt: string | null;
  url: string;
  hasConnections: boolean;
}) {
  const [key, setKey] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const shown = key ?? `${prefix}…`;
  const commands = [
    [
      words.assistants,
      `claude mcp add --transport http shelfwise ${url}/mcp --header "Authorization: Bearer ${shown}"`,
    ],
    [words.curl, `curl -H "X-API-Key: ${shown}" ${url}/api/v1/applications`],
  ] as const;
  return (
    <>
      <h2>{words.key}</h2>
      <p>
        <code>{shown}</code>{' '}
        {key === null && (
          <span class="muted">
            {madeAt === null ? words.keyMadeUnknown : words.keyMade(formatTime(madeAt))}
          </span>
        )}
      </p>
      {key !== null && (
        <p class="note" role="status">
          {words.keyOnce} {hasConnections && words.connectionsStay}
        </p>
      )}
      {key === null && <p class="muted">{words.keyEnds}</p>}
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          const fields = new FormData(event.currentTarget as HTMLFormElement);
          callPage<{ data: { key: string } }>('/dashboard/key', {
            method: 'POST',
            body: { key_prefix: fields.get('start') },
          }).then((made) => {
            setKey(made.data.key);
            setError(null);
          }, setError);
        }}
      >
        <div>
          <label for="start">{words.keyStart}</label>
          <input id="start" name="start" required spellcheck={false} autocomplete="off" />
        </div>
        <button type="submit">{words.regenerate}</button>
        <ErrorNote error={error} />
      </form>
      {key === null && <p class="muted">{words.wholeKey(isolated(shown))}</p>}
      {commands.map(([title, command]) => (
        <section key={title}>
          <h3>{title}</h3>
          <pre>{command}</pre>
          <CopyButton text={command} label={words.copy} copied={words.copied} />
        </section>
      ))}
    </>
  );
}

function Sessions({ sessions: first }: { sessions: AccountModel['sessions'] }) {
  const [sessions, setSessions] = useState(first);
  const [error, setError] = useState<unknown>(null);
  const end = (id: string) =>
    callPage(`/dashboard/sessions/${id}`, { method: 'DELETE' }).then(
      () => setSessions((now) => now.filter((one) => one.id !== id)),
      setError,
    );
  return (
    <>
      <ul class="list">
        {sessions.map(({ id, label, createdAt, lastSeenAt, isThis }) => (
          <li key={id}>
            {nameOfBrowser(label)}{' '}
            <span class="muted">{words.since(formatTime(createdAt), formatTime(lastSeenAt))}</span>{' '}
            {isThis ? (
              <strong>{words.thisSession}</strong>
            ) : (
              <button type="button" onClick={() => end(id)}>
                {words.end}
              </button>
            )}
            {label !== '' && (
              <details>
                <summary>{words.userAgent}</summary>
                <bdi lang="en">{label}</bdi>
              </details>
            )}
          </li>
        ))}
      </ul>
      <ErrorNote error={error} />
    </>
  );
}

function nameOfBrowser(userAgent: string): string {
  const { browser, system } = describeBrowser(userAgent);
  const name = browser === null ? words.unknownBrowser : isolated(browser);
  return system === null ? name : words.browserOn(name, isolated(system));
}

function Connections({ model }: { model: AccountModel }) {
  const [connections, setConnections] = useState(model.connections);
  const [error, setError] = useState<unknown>(null);
  const end = (path: string, stays: (id: string) => boolean) =>
    callPage(`/dashboard/connections${path}`, { method: 'DELETE' }).then(
      () => setConnections((now) => now.filter(({ id }) => stays(id))),
      setError,
    );
  return (
    <>
      <h2>{words.connections}</h2>
      {model.canAssistantsConnect ? (
        <>
          <p>{words.address}</p>
          <pre>{`${model.url}/mcp`}</pre>
        </>
      ) : (
        <p class="muted">{words.noAddress}</p>
      )}
      {connections.length === 0 && <p>{words.noConnection}</p>}
      <ul class="list">
        {connections.map(({ id, client, redirectHost, canWrite, createdAt, lastUsedAt }) => (
          <li key={id}>
            <bdi>{client}</bdi> · <bdi>{redirectHost}</bdi> · {canWrite ? words.mayWrite : words.mayRead}{' '}
            <span class="muted">{words.connected(formatTime(createdAt), formatTime(lastUsedAt))}</span>{' '}
            <button type="button" onClick={() => end(`/${id}`, (other) => other !== id)}>
              {words.endConnection}
            </button>
          </li>
        ))}
      </ul>
      {connections.length > 1 && (
        <button type="button" onClick={() => end('', () => false)}>
          {words.endAll}
        </button>
      )}
      <ErrorNote error={error} />
    </>
  );
}
