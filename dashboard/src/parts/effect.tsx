import { useState } from 'preact/hooks';
import * as texts from '#texts';
import { formatNumber } from '../text/format.ts';
import { callApi } from './api.ts';
import {
  describeGroups,
  describeOthers,
  describeStep,
  type EffectGroups,
  groupNames,
} from './describe-effect.ts';
import { ErrorNote } from './error-note.tsx';
import { Scroll } from './scroll.tsx';

const words = texts.timeline;

type Window = EffectGroups & {
  days: number;
  visibility_before: number | null;
  visibility_after: number | null;
  /** ids */
  other_changes: readonly string[];
};

/** What followed a change. It is computed when a person asks for it: many ranks are read. */
export function Effect({ appId, changeId, day }: { appId: string; changeId: string; day: string }) {
  const [windows, setWindows] = useState<readonly Window[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const read = async () => {
    setIsBusy(true);
    setError(null);
    type Changes = { data: { id: string; effect: Window[] | null }[] };
    await callApi<Changes>(`/applications/${appId}/changes?from=${day}&to=${day}&per_page=50`)
      .then(({ data }) => setWindows(data.find(({ id }) => id === changeId)?.effect ?? []))
      .catch(setError);
    setIsBusy(false);
  };
  return (
    <>
      {windows === null && (
        <button type="button" disabled={isBusy} onClick={() => void read()}>
          {words.whatFollowed}
        </button>
      )}
      <ErrorNote error={error} />
      <div role="status">{windows !== null && <Windows windows={windows} />}</div>
    </>
  );
}

function Windows({ windows }: { windows: readonly Window[] }) {
  const others = describeOthers(windows);
  return (
    <>
      <p class="muted">{words.effectHint}</p>
      {windows.some(({ other_changes: ids }) => ids.length > 0) && <p>{words.othersHint}</p>}
      <Scroll label={words.whatFollowed}>
        <table>
          <caption class="hidden">{words.whatFollowed}</caption>
          <thead>
            <tr>
              <th scope="col">{words.daysAround}</th>
              {groupNames.map((name) => (
                <th scope="col" key={name}>
                  {words.groups[name]}
                </th>
              ))}
              <th scope="col">{words.visibility}</th>
              <th scope="col">{words.others}</th>
            </tr>
          </thead>
          <tbody>
            {windows.map((window, at) => (
              <tr key={window.days}>
                <th scope="row">{formatNumber(window.days)}</th>
                {describeGroups(window).map((group, column) => (
                  <td key={groupNames[column]}>{group}</td>
                ))}
                <td>{describeStep(window.visibility_before, window.visibility_after)}</td>
                <td>{others[at]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}
