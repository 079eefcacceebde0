import { en, type Texts } from './en.ts';

/** The words of the pages. There is one language. */
export const texts: Texts = en;

const language = 'en';
const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
const days = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const daysOfYear = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
const times = new Intl.DateTimeFormat(language, {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

export function formatNumber(value: number): string {
  return numbers.format(value);
}

/** A UTC day (YYYY-MM-DD) as "24 Nov", with its year when that is not the one of `today`. */
export function formatDay(day: string, today = new Date()): string {
  const isThisYear = day.startsWith(`${today.getUTCFullYear()}-`);
  return (isThisYear ? days : daysOfYear).format(new Date(`${day}T00:00:00Z`));
}

/** An ISO time, in UTC. */
export function formatTime(time: string): string {
  return `${times.format(new Date(time))} UTC`;
}
