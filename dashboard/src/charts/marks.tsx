import * as texts from '#texts';
import { formatDay } from '../text/format.ts';
import type { Mark } from '../timeline.ts';

/** A line on each day of the chart with changes or notes. Their texts are in its title, and in a list below the chart. */
export function Marks({
  marks,
  days,
  x,
  top,
  bottom,
}: {
  marks: readonly Mark[];
  days: readonly string[];
  x: (at: number) => number;
  top: number;
  bottom: number;
}) {
  return (
    <>
      {days.map((day, at) => {
        const ofDay = marks.filter((mark) => mark.day === day);
        if (ofDay.length === 0) return null;
        return (
          <g key={day} class={`mark${ofDay.every(({ kind }) => kind === 'note') ? ' note-only' : ''}`}>
            <title>{`${formatDay(day)}: ${ofDay.map(({ text }) => text).join(' · ')}`}</title>
            <line x1={x(at)} x2={x(at)} y1={top} y2={bottom} />
            <path d={`M${x(at) - 5} ${top - 8}h10l-5 8z`} />
          </g>
        );
      })}
    </>
  );
}

/** The texts of the marks in a chart of these days. */
export function MarkList({ marks, from, to }: { marks: readonly Mark[]; from: string; to: string }) {
  const shown = marks.filter(({ day }) => day >= from && day <= to);
  if (shown.length === 0) return null;
  return (
    <ul class="list" aria-label={texts.timeline.marks}>
      {shown.map(({ day, kind, text }, index) => (
        <li key={index}>
          {formatDay(day)} <span class="muted">{texts.timeline.kinds[kind]}</span>{' '}
          <bdi dir="auto">{text}</bdi>
        </li>
      ))}
    </ul>
  );
}
