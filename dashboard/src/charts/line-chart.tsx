import * as texts from '#texts';
import { Scroll } from '../parts/scroll.tsx';
import { formatDay, formatNumber } from '../text/format.ts';
import type { Mark } from '../timeline.ts';
import { joinedDays } from './joined-days.ts';
import { Marks } from './marks.tsx';
import { pointRadius } from './point-radius.ts';
import { ScaleText } from './scale-text.tsx';

/** A value of each day. `isOwn`: drawn in front and thicker. `tone`: its color; absent: by its place among the lines. */
type Line = {
  id: string;
  name: string | null;
  isOwn: boolean;
  tone?: number;
  values: readonly (number | null)[];
};

const [width, height] = [720, 140];
const [left, right, top, bottom] = [40, 40, 12, 112];

/** Values by day, from 0 to `most`. A day without a value is a gap. For one day its callers say the value instead. */
export function LineChart({
  days,
  lines,
  most,
  marks = [],
  sentence,
}: {
  /** UTC days, oldest first; at least two */
  days: readonly string[];
  lines: readonly Line[];
  most: number;
  marks?: readonly Mark[];
  /** what the picture says, for those who do not see it */
  sentence: string;
}) {
  const x = (at: number) => left + (at / (days.length - 1)) * (width - left - right);
  const y = (value: number) => bottom - (value / most) * (bottom - top);
  const dayAt = (at: number) => formatDay(days[at] ?? '');
  // The own app last, so that it is in front.
  const drawn = lines
    .map(({ values, tone, ...line }, index) => ({
      ...line,
      parts: joinedDays(values),
      tone: tone ?? (line.isOwn ? 0 : index),
    }))
    .sort((a, b) => Number(a.isOwn) - Number(b.isOwn));
  return (
    <figure class="chart">
      <Scroll label={sentence}>
        <svg width={width} height={height} role="img" aria-label={sentence}>
          {[0, most / 2, most].map((value) => (
            <g key={value}>
              <line x1={left} x2={width - right} y1={y(value)} y2={y(value)} class="grid" />
              <ScaleText start={left} end={width - right} y={y(value)} text={formatNumber(value)} />
            </g>
          ))}
          <text x={left} y={height - 6}>
            {dayAt(0)}
          </text>
          <text x={width - right} y={height - 6} text-anchor="end">
            {dayAt(days.length - 1)}
          </text>
          <Marks marks={marks} days={days} x={x} top={top} bottom={bottom} />
          {drawn.map(({ id, name, isOwn, tone, parts }) => (
            <g key={id} class={`series tone-${tone % 6}${isOwn ? ' own' : ''}`}>
              {parts.map((line) => (
                <polyline
                  key={line[0]?.at}
                  points={line.map(({ at, value }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ')}
                />
              ))}
              {parts.map((line) =>
                line.map(({ at, value }) => (
                  <circle key={at} cx={x(at)} cy={y(value)} r={pointRadius(line.length, isOwn)}>
                    <title>{`${name === null ? '' : `${name}, `}${dayAt(at)}: ${formatNumber(value)}`}</title>
                  </circle>
                )),
              )}
            </g>
          ))}
        </svg>
      </Scroll>
      <figcaption>
        {sentence} {texts.days}
      </figcaption>
    </figure>
  );
}
