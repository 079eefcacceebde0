import { language } from '#language';
import { utc } from '#texts';

const numbers = new Intl.NumberFormat(language.tag, { maximumFractionDigits: 2 });
const fixed = [0, 1, 2].map(
  (digits) =>
    new Intl.NumberFormat(language.tag, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
);
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

/** How many decimals all figures of a column have. */
export type Decimals = 0 | 1 | 2;

/**
 * With the given decimals, or with as many as needed up to two. What these would make 0 keeps its first digit: it is not 0, unless it is
 * lost precision.
 */
export function formatNumber(value: number, decimals?: Decimals): string {
  const size = Math.abs(value);
  if (size > 1e-9 && size < 0.5 / 10 ** (decimals ?? 2)) return firstDigits.format(value);
  return (decimals === undefined ? numbers : (fixed[decimals] ?? numbers)).format(value);
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
