import { language } from '#language';
import { utc } from '#texts';

/** By their least decimals. */
const numbers = ([0, 1, 2] as const).map(
  (least) => new Intl.NumberFormat(language.tag, { minimumFractionDigits: least, maximumFractionDigits: 2 }),
) as [Intl.NumberFormat, Intl.NumberFormat, Intl.NumberFormat];
const wholes = new Intl.NumberFormat(language.tag, { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat(language.tag, { maximumFractionDigits: 1 });
const firstDigits = new Intl.NumberFormat(language.tag, { maximumSignificantDigits: 1 });
const days = new Intl.DateTimeFormat(language.tag, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const daysOfYear = new Intl.DateTimeFormat(language.tag, { dateStyle: 'medium', timeZone: 'UTC' });
const times = new Intl.DateTimeFormat(language.tag, {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});
const clockTimes = new Intl.DateTimeFormat(language.tag, {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/**
 * At most two decimals. What these would make 0 keeps its first digit: it is not 0, unless it is lost precision.
 * @param least decimals of what is not 0, where numbers are compared in a column
 */
export function formatNumber(value: number, least: Decimals = 0): string {
  const size = Math.abs(value);
  if (size <= 1e-9) return numbers[0].format(value);
  return (size < 0.005 ? firstDigits : numbers[least]).format(value);
}

export type Decimals = 0 | 1 | 2;

/** Whole, or with one decimal below 10. What is less than a tenth keeps its first digit: it is not 0. */
export function formatEstimate(value: number): string {
  const size = Math.abs(value);
  if (size >= 10) return wholes.format(value);
  return (size >= 0.1 ? tenths : firstDigits).format(value);
}

/** A UTC day (YYYY-MM-DD) as "24 Nov", with its year when that is not the one of `today`. */
export function formatDay(day: string, today = new Date()): string {
  const isThisYear = day.startsWith(`${today.getUTCFullYear()}-`);
  return (isThisYear ? days : daysOfYear).format(new Date(`${day}T00:00:00Z`));
}

/** An ISO time, in UTC. */
export function formatTime(time: string): string {
  return utc(times.format(new Date(time)));
}

/** The same for a narrow column: "Nov 23, 14:05", with its year when that is not the one of `today`. */
export function formatShortTime(time: string, today = new Date()): string {
  return `${formatDay(time.slice(0, 10), today)}, ${clockTimes.format(new Date(time))}`;
}

/** A name inside a sentence: how it is written turns neither the words around it nor what follows. */
export function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}
