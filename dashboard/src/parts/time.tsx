import { formatShortTime, formatTime } from '../text/format.ts';

/** A time in a table: short and on one line, whole with its zone in its title. `at`: ISO 8601. */
export function Time({ at, hasSeconds = false }: { at: string; hasSeconds?: boolean }) {
  return (
    <time class="nowrap" dateTime={at} title={formatTime(at)}>
      {formatShortTime(at)}
      {hasSeconds && at.slice(16, 19)}
    </time>
  );
}
