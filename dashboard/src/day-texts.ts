import { daysOfWindow } from '@shelfwise/runtime/day';

/**
 * A value for each day as a short text, for hundreds of small pictures in a page: one entry a day from `from` to `to`, separated by
 * commas. Empty: the day has none.
 */
export function toDayTexts(from: string, to: string, readValue: (day: string) => number | null): string {
  return daysOfWindow(from, to)
    .map((day) => readValue(day) ?? '')
    .join(',');
}

/** One entry for each day of the text; null: the day has none. */
export function readDayTexts(text: string): (number | null)[] {
  return text.split(',').map((entry) => (entry === '' ? null : Number(entry)));
}
