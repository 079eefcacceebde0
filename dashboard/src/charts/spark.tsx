import { daysOfWindow } from '@shelfwise/runtime/day';
import { type RankDay, rankDepth, rankLinesOf } from './rank-scale.ts';

const [width, height] = [80, 20];

/** Days without a rank have a lane of their own, below the ranks. */
const lane = height - 5;

/** A small picture of ranks by day, with the rules of `RankChart`. */
export function Spark({
  from,
  to,
  read,
  sentence,
}: {
  from: string;
  to: string;
  read: readonly RankDay[];
  sentence: string;
}) {
  const days = daysOfWindow(from, to);
  const x = (at: number) => 3 + (at / Math.max(1, days.length - 1)) * (width - 6);
  const y = (rank: number) => 3 + rankDepth(rank) * (lane - 5);
  const { lines, notRanked } = rankLinesOf(days, read);
  return (
    <svg class="spark" width={width} height={height} role="img" aria-label={sentence}>
      {lines.map((line) =>
        line.length === 1 && line[0] ? (
          <circle key={line[0].at} cx={x(line[0].at)} cy={y(line[0].rank)} r="2.5" />
        ) : (
          <polyline
            key={line[0]?.at}
            points={line.map(({ at, rank }) => `${x(at).toFixed(1)},${y(rank).toFixed(1)}`).join(' ')}
          />
        ),
      )}
      {notRanked.length > 0 && (
        <path d={notRanked.map((at) => `M${(x(at) - 2).toFixed(1)} ${lane}l4 4m0-4l-4 4`).join('')} />
      )}
    </svg>
  );
}
