import { daysOfWindow } from '@shelfwise/runtime/day';
import * as texts from '#texts';
import { LineChart } from '../../charts/line-chart.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { Value } from '../../parts/value.tsx';
import { formatDay, formatNumber, isolated } from '../../text/format.ts';
import type { Mark } from '../../timeline.ts';
import type { KeywordModel } from './model.ts';
import { toScoreLines, versionChanges } from './score-lines.ts';

const words = texts.keyword.scoreHistory;
const tones = { traffic: 0, difficulty: 2 };
const names = { traffic: texts.keywordList.traffic, difficulty: texts.keywordList.difficulty };

/** Traffic and difficulty by day, from 0 to 100. One day alone is no chart. */
export function ScoreHistory({
  model: { from, to, scoreHistory },
  marks,
}: {
  model: KeywordModel;
  marks: readonly Mark[];
}) {
  if (scoreHistory === null) return null;
  const days = daysOfWindow(from, to);
  const changes = versionChanges(scoreHistory);
  const lines = toScoreLines(days, scoreHistory).map(({ score, version, values }) => ({
    id: `${score} ${version}`,
    name: words.line(names[score], isolated(version)),
    isOwn: score === 'traffic',
    tone: tones[score],
    values,
  }));
  return (
    <>
      <h2>{words.title}</h2>
      {scoreHistory.length < 2 && <p class="muted">{words.firstDay}</p>}
      {scoreHistory.length > 1 && (
        <>
          <LineChart
            days={days}
            lines={lines}
            most={100}
            marks={marks}
            sentence={words.sentence(formatNumber(scoreHistory.length), formatDay(from), formatDay(to))}
          />
          <ul class="legend">
            <li class="series tone-0 own">{names.traffic}</li>
            <li class="series tone-2">{names.difficulty}</li>
          </ul>
        </>
      )}
      {changes.map(({ day, version }) => (
        <p key={day}>{words.versionSince(isolated(version), formatDay(day))}</p>
      ))}
      {scoreHistory.length > 0 && (
        <details>
          <summary>{texts.chart.asTable}</summary>
          <Scroll label={words.title}>
            <table class="short">
              <thead>
                <tr>
                  <th scope="col">{texts.chart.day}</th>
                  <th scope="col" class="n">
                    {names.traffic}
                  </th>
                  <th scope="col" class="n">
                    {names.difficulty}
                  </th>
                  <th scope="col">{words.version}</th>
                </tr>
              </thead>
              <tbody>
                {scoreHistory
                  .map(({ day, traffic, difficulty, version }) => (
                    <tr key={day}>
                      <th scope="row">{formatDay(day)}</th>
                      <td class="n">
                        <Value of={traffic} />
                      </td>
                      <td class="n">
                        <Value of={difficulty} />
                      </td>
                      <td>{version}</td>
                    </tr>
                  ))
                  .reverse()}
              </tbody>
            </table>
          </Scroll>
        </details>
      )}
    </>
  );
}
