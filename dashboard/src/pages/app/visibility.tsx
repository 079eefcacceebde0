import * as texts from '#texts';
import { Marks } from '../../charts/marks.tsx';
import { numberOf } from '../../figure.ts';
import { Scroll } from '../../parts/scroll.tsx';
import { Value } from '../../parts/value.tsx';
import { formatDay, formatNumber } from '../../text/format.ts';
import type { Mark } from '../../timeline.ts';
import type { AppModel } from './model.ts';

const [width, height] = [720, 140];
const [left, right, top, bottom] = [40, 12, 12, 112];

/** Visibility by day, from 0 to 100. A day without a score is a gap. */
export function Visibility({ days, marks = [] }: { days: AppModel['visibility']; marks?: readonly Mark[] }) {
  const words = texts.app;
  const x = (at: number) => left + (at / Math.max(1, days.length - 1)) * (width - left - right);
  const y = (score: number) => bottom - (score / 100) * (bottom - top);
  const scored = days.flatMap(({ score }, at) => {
    const value = numberOf(score);
    return value === null ? [] : [{ at, value }];
  });
  const lines = scored.reduce<{ at: number; value: number }[][]>((all, point) => {
    const line = all.at(-1);
    if (line?.at(-1)?.at === point.at - 1) line?.push(point);
    else all.push([point]);
    return all;
  }, []);
  const last = days.at(-1);
  if (!last) return null;
  const sentence = words.visibilityOf(formatNumber(scored.length), formatNumber(days.length));
  return (
    <figure class="chart">
      <Scroll label={sentence}>
        <svg width={width} height={height} role="img" aria-label={sentence}>
          {[0, 50, 100].map((score) => (
            <g key={score}>
              <line x1={left} x2={width - right} y1={y(score)} y2={y(score)} class="grid" />
              <text x={left - 8} y={y(score) + 4} text-anchor="end">
                {formatNumber(score)}
              </text>
            </g>
          ))}
          <text x={left} y={height - 6}>
            {formatDay(days[0]?.day ?? last.day)}
          </text>
          <text x={width - right} y={height - 6} text-anchor="end">
            {formatDay(last.day)}
          </text>
          <Marks marks={marks} days={days.map(({ day }) => day)} x={x} top={top} bottom={bottom} />
          <g class="series tone-0 own">
            {lines.map((line) => (
              <polyline
                key={line[0]?.at}
                points={line.map(({ at, value }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ')}
              />
            ))}
            {scored.map(({ at, value }) => (
              <circle key={at} cx={x(at)} cy={y(value)} r="3">
                <title>{`${formatDay(days[at]?.day ?? '')}: ${formatNumber(value)}`}</title>
              </circle>
            ))}
          </g>
        </svg>
      </Scroll>
      <figcaption>
        {sentence} {texts.days}
      </figcaption>
      <details>
        <summary>{words.asTable}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.day}</th>
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
                  <Value of={score} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
