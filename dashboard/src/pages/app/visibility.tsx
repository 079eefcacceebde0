import * as texts from '#texts';
import { LineChart } from '../../charts/line-chart.tsx';
import { numberOf } from '../../figure.ts';
import { Value } from '../../parts/value.tsx';
import { formatDay, formatNumber } from '../../text/format.ts';
import type { Mark } from '../../timeline.ts';
import type { AppModel } from './model.ts';

const words = texts.app;

/** Visibility by day, from 0 to 100. A day without a score is a gap. The first day is no chart: it says its score. */
export function Visibility({ days, marks = [] }: { days: AppModel['visibility']; marks?: readonly Mark[] }) {
  const [first] = days;
  if (first === undefined) return null;
  if (days.length === 1)
    return (
      <>
        <dl class="cards">
          <div class="card">
            <dt>{formatDay(first.day)}</dt>
            <dd>
              <Value of={first.score} decimals={1} />
            </dd>
          </div>
        </dl>
        <p class="muted">
          {words.visibilityHint} {numberOf(first.score) !== null && texts.chart.firstDay}
        </p>
      </>
    );
  const values = days.map(({ score }) => numberOf(score));
  const scored = values.filter((value) => value !== null).length;
  return (
    <>
      <LineChart
        days={days.map(({ day }) => day)}
        lines={[{ id: 'own', name: null, isOwn: true, values }]}
        most={100}
        marks={marks}
        sentence={words.visibilityOf(formatNumber(scored), formatNumber(days.length))}
      />
      <p class="muted">{words.visibilityHint}</p>
      <details>
        <summary>{texts.chart.asTable}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.chart.day}</th>
              <th scope="col" class="n">
                {words.visibility}
              </th>
            </tr>
          </thead>
          <tbody>
            {[...days].reverse().map(({ day, score }) => (
              <tr key={day}>
                <th scope="row">{formatDay(day)}</th>
                <td class="n">
                  <Value of={score} decimals={1} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}
