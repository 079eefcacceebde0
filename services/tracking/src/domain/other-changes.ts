import { daysBefore } from '@shelfwise/runtime/day';

/** A change of a listing on a day (YYYY-MM-DD). */
export type DatedChange = { id: string; day: string };

/** As many as an answer names. */
const maxNamed = 50;

/**
 * The ids of the other changes within `days` before or after a change, or on its day, in their order, at most 50. Ranks that moved
 * there may have followed any of them.
 */
export function otherChanges(
  changes: readonly DatedChange[],
  { id, day }: DatedChange,
  days: number,
): string[] {
  const [from, to] = [daysBefore(day, days), daysBefore(day, -days)];
  return changes
    .filter((other) => other.id !== id && other.day >= from && other.day <= to)
    .slice(0, maxNamed)
    .map((other) => other.id);
}
