import { joinedDays } from './joined-days.ts';

const [width, height] = [80, 20];

/** A small picture of values by day, 0 to `most`. A day without a value is a gap. */
export function ValueSpark({
  values,
  most,
  sentence,
}: {
  values: readonly (number | null)[];
  most: number;
  sentence: string;
}) {
  const x = (at: number) => (3 + (at / Math.max(1, values.length - 1)) * (width - 6)).toFixed(1);
  const y = (value: number) => (height - 3 - (value / most) * (height - 6)).toFixed(1);
  return (
    <svg class="spark" width={width} height={height} role="img" aria-label={sentence}>
      {joinedDays(values).map((line) =>
        line.length === 1 && line[0] ? (
          <circle key={line[0].at} cx={x(line[0].at)} cy={y(line[0].value)} r="2.5" />
        ) : (
          <polyline
            key={line[0]?.at}
            points={line.map(({ at, value }) => `${x(at)},${y(value)}`).join(' ')}
          />
        ),
      )}
    </svg>
  );
}
