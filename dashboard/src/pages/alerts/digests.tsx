import { useState } from 'preact/hooks';
import * as texts from '#texts';
import { callApi } from '../../parts/api.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { formatTime } from '../../text/format.ts';
import type { ChannelRow, DigestRow } from './model.ts';

const words = texts.digests;

/** What the feed has had, every day or week, for one of the channels. */
export function Digests({
  rows: first,
  channels,
}: {
  rows: readonly DigestRow[] | null;
  channels: readonly ChannelRow[];
}) {
  const [rows, setRows] = useState(first ?? []);
  const [error, setError] = useState<unknown>(null);
  const remove = (id: string) =>
    callApi(`/alerts/digests/${id}`, { method: 'DELETE' }).then(() => {
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
        <p class="row" key={row.id}>
          <span>
            <bdi dir="auto">{channels.find(({ id }) => id === row.channel)?.name ?? row.channel}</bdi> ·{' '}
            {words.every[row.every] ?? row.every} ·{' '}
            {row.app ? <bdi dir="auto">{row.app.title ?? row.app.storeId}</bdi> : words.allApps} ·{' '}
            {words.next(formatTime(row.nextAt))} (<bdi>{row.timeZone}</bdi>)
          </span>
          <button type="button" onClick={() => remove(row.id)}>
            {words.remove}
          </button>
        </p>
      ))}
      {channels.length === 0 ? <p>{words.noChannel}</p> : <NewDigest channels={channels} />}
    </>
  );
}

/** The time zone of the browser is the usual one. */
function NewDigest({ channels }: { channels: readonly ChannelRow[] }) {
  const [error, setError] = useState<unknown>(null);
  const create = (form: HTMLFormElement) => {
    const { channel, hour, ...others } = Object.fromEntries(new FormData(form));
    const body = {
      ...others,
      channel: Number(channel),
      hour: Number(hour),
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    };
    callApi('/alerts/digests', { method: 'POST', body }).then(() => location.reload(), setError);
  };
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        create(event.currentTarget as HTMLFormElement);
      }}
    >
      <div>
        <label for="digest-channel">{words.channel}</label>
        <select id="digest-channel" name="channel">
          {channels.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <div>
        <label for="digest-every">{words.how}</label>
        <select id="digest-every" name="every">
          {Object.entries(words.every).map(([every, text]) => (
            <option key={every} value={every}>
              {text}
            </option>
          ))}
        </select>
      </div>
      <div>
        <label for="digest-hour">{words.hour}</label>
        <input id="digest-hour" name="hour" type="number" required min={0} max={23} defaultValue="7" />
      </div>
      <button type="submit">{words.add}</button>
      <ErrorNote error={error} />
    </form>
  );
}
