import { useState } from 'preact/hooks';
import * as texts from '#texts';
import { CutName } from '../../parts/cut-name.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { Time } from '../../parts/time.tsx';
import { Value } from '../../parts/value.tsx';
import { formatNumber } from '../../text/format.ts';
import { Change } from '../keywords/change.tsx';
import { statusOf } from '../rivals/status-of.ts';
import type { Run, RunRow, SimulatorModel } from './model.ts';

const words = texts.simulator;
/** Rows that are drawn at first, and again with each click. */
const rowsAtOnce = 20;

/** The history, which the API shows, too. */
export function Runs({
  model,
  onShow,
  onCompare,
}: {
  model: SimulatorModel;
  onShow: (id: string) => void;
  onCompare: (id: string) => void;
}) {
  const { runs, run } = model;
  const [limit, setLimit] = useState(rowsAtOnce);
  if (runs === null) return <p class="note warn">{words.runsUnknown}</p>;
  return (
    <>
      <p class="muted">
        {runs.length === 0 ? words.noRuns : words.runsHint} {model.hasMoreRuns && words.moreRuns}
      </p>
      {runs.length > 0 && (
        <Scroll label={words.runs} asCards>
          <table class="short">
            <thead>
              <tr>
                <th scope="col">{words.run}</th>
                <th scope="col">{words.at}</th>
                {[words.axes.global, words.change].map((label) => (
                  <th key={label} scope="col" class="n">
                    {label}
                  </th>
                ))}
                <th scope="col">{words.runTitle}</th>
                <th scope="col" class="n">
                  {words.times}
                </th>
                <th scope="col">{words.versionColumn}</th>
                <th scope="col">{words.show}</th>
              </tr>
            </thead>
            <tbody>
              {runs.slice(0, limit).map((row) => (
                <tr key={row.id} aria-current={row.id === run?.id}>
                  <th scope="row">{texts.timeline.runName(row.id)}</th>
                  <td>
                    <Time at={row.at} hasSeconds />
                  </td>
                  <td class="n">
                    <Value of={row.score} />
                  </td>
                  <td class="n">
                    <Change change={row.change} status={statusOf(row.change)} />
                  </td>
                  <td>
                    <CutName name={row.title ?? words.noTitle} lang={model.app.lang} />{' '}
                    {!row.isEdited && <small>{words.liveRun}</small>}
                  </td>
                  <td class="n">
                    <Value of={row.runs} />
                  </td>
                  <td>{row.scoringVersion}</td>
                  <td class="nowrap">
                    <Actions row={row} run={run} onShow={onShow} onCompare={onCompare} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {runs.length > limit && (
        <p>
          {texts.table.shown(formatNumber(limit), formatNumber(runs.length))}{' '}
          <button type="button" onClick={() => setLimit(limit + rowsAtOnce)}>
            {texts.table.more}
          </button>
        </p>
      )}
    </>
  );
}

/** A run of another version than the shown one is not compared with it. */
function Actions({
  row,
  run,
  onShow,
  onCompare,
}: {
  row: RunRow;
  run: Run | null;
  onShow: (id: string) => void;
  onCompare: (id: string) => void;
}) {
  const canCompare = run !== null && run.id !== row.id && run.scoringVersion === row.scoringVersion;
  return (
    <>
      <button type="button" onClick={() => onShow(row.id)} aria-label={words.showRun(row.id)}>
        {words.show}
      </button>{' '}
      {canCompare && (
        <button type="button" onClick={() => onCompare(row.id)} aria-label={words.compareRun(row.id)}>
          {words.compare}
        </button>
      )}
    </>
  );
}
