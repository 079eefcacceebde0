export type BarKind = 'ranked' | 'not-ranked' | 'unread';

/** Pixels of the longest bar. */
export const fullWidth = 120;

/** A shorter bar would look like none, or show no stripe. */
const least = 4;

/** In whole pixels. 0 has no bar; anything more has one. */
export function barWidth(value: number, most: number): number {
  if (value <= 0) return 0;
  return Math.max(least, Math.round((value / Math.max(value, most)) * fullWidth));
}
