import { daysOfWindow } from '@shelfwise/runtime/day';
import * as texts from '#texts';
import { Scroll } from '../parts/scroll.tsx';
import { formatDay, formatNumber } from '../text/format.ts';
import type { Mark } from '../timeline.ts';
import { Marks } from './marks.tsx';
import { pointRadius } from './point-radius.ts';
import { type RankDay, rankDepth, rankLines, rankLinesOf } from './rank-scale.ts';
import { ScaleText } from './scale-text.tsx';

/** The ranks of one app, by day. `isOwn`: drawn in front and thicker. */
export type RankSeries = { id: string; name: string; isOwn: boolean; read: readonly RankDay[] };

const [width, height] = [720, 220];
const [left, right, top] = [40, 40, 12];
const lane = height - 40;
const laneEnd = lane + 20;
const bottom = lane - 20;
/** Between the crosses of two series on one day. Those of six have room in the lane. */
const crossStep = 6;

/**
 * Ranks by day, the first place on top. A day that was not read is a gap; a day without a rank is a cross in a lane of its own,
 * where each series has its height.
 * Scaled text shrinks, so the picture keeps its size and scrolls where the page is narrower.
 */
export function RankChart({
  from,
  to,
  series,
  blockedFrom = null,
  marks = [],
  sentence,
}: {
  from: string;
  to: string;
  series: readonly RankSeries[];
  /** the day since when the store refuses to be read: later days are shaded */
  blockedFrom?: string | null;
  marks?: readonly Mark[];
  /** what the picture says, for those who do not see it */
  sentence: string;
}) {
  const days = daysOfWindow(from, to);
  const x = (at: number) => left + (at / Math.max(1, days.length - 1)) * (width - left - right);
  const y = (rank: number) => top + rankDepth(rank) * (bottom - top);
  const lastRead =
    series
      .flatMap(({ read }) => read.map(({ date }) => date))
      .toSorted()
      .at(-1) ?? from;
  // From the last day that was read: the picture has no width of a day.
  const blockedAt =
    blockedFrom === null || lastRead >= to
      ? -1
      : days.indexOf(lastRead < blockedFrom ? lastRead : blockedFrom);
  const hasCross = series.some(({ read }) => read.some(({ rank }) => rank === null));
  // The own app last, so that it is in front.
  const drawn = series
    .map((one, index) => ({
      ...one,
      tone: one.isOwn ? 0 : index,
      crossY: lane + (index - (series.length - 1) / 2) * crossStep,
    }))
    .sort((a, b) => Number(a.isOwn) - Number(b.isOwn));
  return (
    <figure class="chart">
      <Scroll label={sentence}>
        <svg width={width} height={height} role="img" aria-label={sentence}>
          {blockedAt >= 0 && (
            <rect
              class="blocked"
              x={x(blockedAt)}
              y={top}
              width={width - right - x(blockedAt)}
              height={laneEnd - top}
            >
              <title>{texts.chart.blocked}</title>
            </rect>
          )}
          {rankLines.map((rank) => (
            <g key={rank}>
              <line x1={left} x2={width - right} y1={y(rank)} y2={y(rank)} class="grid" />
              <ScaleText start={left} end={width - right} y={y(rank)} text={formatNumber(rank)} />
            </g>
          ))}
          <ScaleText start={left} end={width - right} y={lane} text={texts.chart.notRanked} />
          {dayMarks(days).map((at) => (
            <text key={at} x={x(at)} y={height - 6} text-anchor={markAnchor(at, days.length)}>
              {formatDay(days[at] as string)}
            </text>
          ))}
          <Marks marks={marks} days={days} x={x} top={top} bottom={laneEnd} />
          {drawn.map(({ id, ...one }) => (
            <Series key={id} {...one} days={days} x={x} y={y} />
          ))}
        </svg>
      </Scroll>
      <figcaption>
        {sentence} {texts.days} {hasCross && texts.chart.cross}{' '}
        {marks.some(({ day }) => days.includes(day)) && texts.chart.mark}
      </figcaption>
    </figure>
  );
}

function Series({
  name,
  isOwn,
  read,
  days,
  tone,
  crossY,
  x,
  y,
}: Omit<RankSeries, 'id'> & {
  days: readonly string[];
  tone: number;
  crossY: number;
  x: (at: number) => number;
  y: (rank: number) => number;
}) {
  const { lines, notRanked } = rankLinesOf(days, read);
  const newest = read
    .map(({ date }) => date)
    .toSorted()
    .at(-1);
  // As a rank is stale: yesterday's is not.
  const isOld = (at: number) => days[at] === newest && at < days.length - 2;
  const titleOf = (at: number, said: string) => (
    <title>{`${name}, ${formatDay(days[at] as string)}: ${said}`}</title>
  );
  return (
    <g class={`series tone-${tone % 6}${isOwn ? ' own' : ''}`}>
      {lines.map((line) => (
        <polyline
          key={line[0]?.at}
          points={line.map(({ at, rank }) => `${x(at).toFixed(1)},${y(rank).toFixed(1)}`).join(' ')}
        />
      ))}
      {lines.map((line) =>
        line.map(({ at, rank }) => (
          <circle
            key={at}
            class={isOld(at) ? 'hollow' : undefined}
            cx={x(at)}
            cy={y(rank)}
            r={pointRadius(line.length, isOwn)}
          >
            {titleOf(at, formatNumber(rank))}
          </circle>
        )),
      )}
      {notRanked.map((at) => (
        <text key={at} x={x(at)} y={crossY + 4} text-anchor="middle" class="cross">
          ×{titleOf(at, texts.chart.notRanked)}
        </text>
      ))}
    </g>
  );
}

/** The first and the last day, and at most five in between. */
function dayMarks(days: readonly string[]): number[] {
  const last = days.length - 1;
  if (last <= 0) return days.length === 0 ? [] : [0];
  const step = Math.max(1, Math.ceil(last / 6));
  const marks = Array.from({ length: Math.ceil(last / step) }, (_, index) => index * step);
  return [...marks.filter((at) => last - at >= step / 2), last];
}

function markAnchor(at: number, count: number): 'start' | 'middle' | 'end' {
  if (at === 0) return 'start';
  return at === count - 1 ? 'end' : 'middle';
}
