import { useState } from 'preact/hooks';
import * as texts from '#texts';
import { callApi } from '../../parts/api.ts';
import { ApiText } from '../../parts/api-text.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { Time } from '../../parts/time.tsx';
import { formatShortTime, formatTime, isolated } from '../../text/format.ts';
import type { ChannelRow } from './model.ts';

const words = texts.channels;

/** A delivery as the API answers. */
type Delivery = {
  id: number;
  state: 'waiting' | 'delivered' | 'failed';
  is_test: boolean;
  created_at: string;
  next_try_at: string | null;
  failure: string | null;
  answer: string | null;
};

export function Channels({
  rows: first,
  types,
  timings,
}: {
  rows: readonly ChannelRow[] | null;
  types: readonly string[];
  timings: readonly string[];
}) {
  const [rows, setRows] = useState(first ?? []);
  const [error, setError] = useState<unknown>(null);
  const turn = (id: string, isEnabled: boolean) =>
    callApi<{ data: { off_reason: string | null } }>(`/alerts/channels/${id}`, {
      method: 'PATCH',
      body: { is_enabled: isEnabled },
    }).then(({ data }) => {
      setError(null);
      setRows((now) => now.map((row) => (row.id === id ? { ...row, offReason: data.off_reason } : row)));
    }, setError);
  const remove = (id: string) =>
    callApi(`/alerts/channels/${id}`, { method: 'DELETE' }).then(() => {
      setError(null);
      setRows((now) => now.filter((row) => row.id !== id));
    }, setError);
  return (
    <>
      <h2>{words.title}</h2>
      <p class="muted">{words.hint}</p>
      {first === null && <p class="note error">{words.unknown}</p>}
      <ErrorNote error={error} />
      {rows.map((row) => (
        <section key={row.id}>
          <h3>
            <bdi dir="auto">{row.name}</bdi>
          </h3>
          <p>
            {words.types[row.type] ?? row.type} · <bdi>{`${row.host} …${row.urlEnd}`}</bdi> ·{' '}
            {words.timings[row.timing] ?? row.timing}
          </p>
          <p>
            {row.lastSuccessAt === null ? words.noSuccess : words.lastSuccess(formatTime(row.lastSuccessAt))}{' '}
            {row.failingSince !== null && <strong>{words.failing(formatTime(row.failingSince))}</strong>}
          </p>
          <div class="row">
            <label>
              <input
                type="checkbox"
                checked={row.offReason === null}
                onChange={(event) => turn(row.id, event.currentTarget.checked)}
              />{' '}
              {row.offReason === null ? words.on : (words.off[row.offReason] ?? row.offReason)}
            </label>
            <ConfirmButton
              label={words.remove}
              name={words.removeOf(isolated(row.name))}
              lost={words.lost}
              onConfirm={() => void remove(row.id)}
            />
          </div>
          <Deliveries channelId={row.id} name={row.name} />
        </section>
      ))}
      <NewChannel types={types} timings={timings} />
    </>
  );
}

/** Read when they are asked for: a page with twenty channels stays quick. */
function Deliveries({ channelId, name }: { channelId: string; name: string }) {
  const [rows, setRows] = useState<readonly Delivery[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isSending, setIsSending] = useState(false);
  const read = () =>
    callApi<{ data: Delivery[] }>(`/alerts/channels/${channelId}/deliveries?per_page=10`).then(({ data }) => {
      setError(null);
      setRows(data);
    }, setError);
  const send = (path: string) => {
    setIsSending(true);
    callApi(path, { method: 'POST' })
      .then(read, setError)
      .finally(() => setIsSending(false));
  };
  return (
    <>
      <p class="row">
        <button type="button" onClick={read}>
          {words.show}
        </button>
        <button type="button" disabled={isSending} onClick={() => send(`/alerts/channels/${channelId}/test`)}>
          {words.test}
        </button>
      </p>
      <ErrorNote error={error} />
      {rows?.length === 0 && <p>{words.noDelivery}</p>}
      {rows !== null && rows.length > 0 && (
        <Scroll label={words.deliveriesOf(isolated(name))}>
          <table>
            <thead>
              <tr>
                <th scope="col">{words.created}</th>
                <th scope="col">{words.outcome}</th>
                <th scope="col">{words.answer}</th>
                <th scope="col">{words.actions}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <th scope="row">
                    <Time at={row.created_at} /> {row.is_test && <small class="muted">{words.isTest}</small>}
                  </th>
                  <td>
                    {words.states[row.state]}
                    {row.failure !== null && (
                      <>
                        {' · '}
                        <ApiText>{row.failure}</ApiText>
                      </>
                    )}
                    {row.next_try_at !== null && (
                      <small class="muted" title={formatTime(row.next_try_at)}>
                        {' '}
                        {words.nextTry(formatShortTime(row.next_try_at))}
                      </small>
                    )}
                  </td>
                  <td>{row.answer !== null && <bdi dir="auto">{row.answer.slice(0, 200)}</bdi>}</td>
                  <td>
                    <button
                      type="button"
                      disabled={isSending}
                      onClick={() => send(`/alerts/deliveries/${row.id}/redeliver`)}
                    >
                      {words.again}
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </>
  );
}

/** Of the input for the address, whatever its type. */
const address = {
  id: 'url',
  name: 'url',
  required: true,
  maxLength: 2000,
  autocomplete: 'off',
  spellcheck: false,
} as const;

function NewChannel({ types, timings }: { types: readonly string[]; timings: readonly string[] }) {
  const [error, setError] = useState<unknown>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [type, setType] = useState(types[0] ?? '');
  const isMail = type === 'email';
  const create = (form: HTMLFormElement) => {
    const { url, ...others } = Object.fromEntries(new FormData(form));
    const body = { ...others, url: isMail ? `mailto:${url}` : url };
    callApi<{ data: { secret: string | null } }>('/alerts/channels', { method: 'POST', body }).then(
      ({ data }) => (data.secret === null ? location.reload() : setSecret(data.secret)),
      setError,
    );
  };
  if (secret !== null)
    return (
      <div class="note" role="status">
        <p>{words.secretOnce}</p>
        <p>
          <code>{secret}</code>
        </p>
        <button type="button" onClick={() => location.reload()}>
          {words.kept}
        </button>
      </div>
    );
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        create(event.currentTarget as HTMLFormElement);
      }}
    >
      <div>
        <label for="type">{words.newChannel}</label>
        <select id="type" name="type" value={type} onChange={(event) => setType(event.currentTarget.value)}>
          {types.map((type) => (
            <option key={type} value={type}>
              {words.types[type] ?? type}
            </option>
          ))}
        </select>
      </div>
      <div>
        <label for="name">{words.name}</label>
        <input id="name" name="name" required maxLength={60} autocomplete="off" />
      </div>
      <div>
        <label for="url">{isMail ? words.mailAddress : words.url}</label>
        {isMail ? <input type="email" {...address} /> : <input type="url" {...address} />}
      </div>
      <div>
        <label for="timing">{words.timing}</label>
        <select id="timing" name="timing">
          {timings.map((timing) => (
            <option key={timing} value={timing}>
              {words.timings[timing] ?? timing}
            </option>
          ))}
        </select>
      </div>
      <button type="submit">{words.add}</button>
      {isMail && <p class="muted">{words.mailHint}</p>}
      <ErrorNote error={error} />
    </form>
  );
}
