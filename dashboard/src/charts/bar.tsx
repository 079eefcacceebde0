import { type BarKind, barWidth, fullWidth } from './bar-width.ts';

const height = 12;

/**
 * One number against the largest of its table. Full: what ranks; striped: what does not; an outline: what was not read. The row says
 * the same in words, so readers of the screen skip the picture.
 */
export function Bar({ value, most, kind }: { value: number; most: number; kind: BarKind }) {
  const width = barWidth(value, most);
  const middle = height / 2;
  return (
    <svg class={`bar ${kind}`} width={fullWidth} height={height} aria-hidden="true">
      {width > 0 &&
        (kind === 'unread' ? (
          <rect x="0.5" y="1.5" width={Math.max(1, width - 1)} height={height - 3} />
        ) : (
          <line x1="0" x2={width} y1={middle} y2={middle} />
        ))}
    </svg>
  );
}
