import * as texts from '#texts';
import { CutName } from '../../parts/cut-name.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { Value } from '../../parts/value.tsx';
import { formatDay } from '../../text/format.ts';
import type { KeywordModel } from './model.ts';
import { ranksByDay } from './ranks-by-day.ts';

/** What the chart shows, as a table. On the first day the chart has no line yet, and points of one height: the table is open. */
export function RankTable({ model: { app, series } }: { model: KeywordModel }) {
  const days = ranksByDay(series);
  return (
    <details open={days.length === 1}>
      <summary>{texts.chart.asTable}</summary>
      <Scroll label={texts.keyword.history}>
        <table class="short">
          <thead>
            <tr>
              <th scope="col">{texts.chart.day}</th>
              {series.map(({ id, name }) => (
                <th key={id} scope="col" class="n">
                  <CutName name={name} lang={app.lang} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, ranks }) => (
              <tr key={day}>
                <th scope="row">{formatDay(day)}</th>
                {ranks.map((rank, at) => (
                  <td key={series[at]?.id} class="n">
                    <Value of={rank} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  );
}
