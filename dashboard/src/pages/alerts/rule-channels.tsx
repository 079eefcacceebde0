import { useState } from 'preact/hooks';
import * as texts from '#texts';
import { callApi } from '../../parts/api.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import type { ChannelRow } from './model.ts';

const words = texts.channels;

/** The channels that a rule sends to: each change is kept at once. */
export function RuleChannels({
  ruleId,
  chosen,
  channels,
  onChosen,
}: {
  ruleId: string;
  chosen: readonly string[];
  channels: readonly ChannelRow[];
  onChosen: (ids: string[]) => void;
}) {
  const [error, setError] = useState<unknown>(null);
  const change = (id: string, isChosen: boolean) => {
    const ids = channels.map((one) => one.id).filter((one) => (one === id ? isChosen : chosen.includes(one)));
    callApi(`/alerts/rules/${ruleId}`, { method: 'PATCH', body: { channels: ids.map(Number) } }).then(() => {
      setError(null);
      onChosen(ids);
    }, setError);
  };
  return (
    <>
      {words.feed}
      {channels.map(({ id, name }) => (
        <label key={id}>
          {' '}
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={(event) => change(id, event.currentTarget.checked)}
          />{' '}
          <bdi dir="auto">{name}</bdi>
        </label>
      ))}
      <ErrorNote error={error} />
    </>
  );
}
