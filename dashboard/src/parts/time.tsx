import { formatShortTime, formatTime } from '../text/format.ts';

/** A time in a table: short and on one line, whole with its zone in its title. `at`: ISO 8601. */
export function Time({ at }: { at: string }) {
  return (
    <time class="nowrap" dateTime={at} title={formatTime(at)}>
      {formatShortTime(at)}
    </time>
  );
}
