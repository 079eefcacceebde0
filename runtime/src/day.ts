export const dayMs = 86_400_000;

/** The rows of a list ask for the same day. */
let last = { day: Number.NaN, text: '' };

/** The UTC day of a moment, as YYYY-MM-DD. These texts sort chronologically. */
export function utcDay(moment: Date): string {
  const day = Math.floor(moment.getTime() / dayMs);
  if (day !== last.day) last = { day, text: moment.toISOString().slice(0, 10) };
  return last.text;
}

/** The midnight at the start of a UTC day (YYYY-MM-DD). */
export function startOfDay(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}

/** The midnight at the end of a moment's UTC day. */
export function startOfNextDay(moment: Date): Date {
  return new Date(startOfDay(utcDay(moment)).getTime() + dayMs);
}

/** The UTC day (YYYY-MM-DD) `count` days before `day`. */
export function daysBefore(day: string, count: number): string {
  return utcDay(new Date(startOfDay(day).getTime() - count * dayMs));
}

/** Whether a text is an existing day, written as YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const midnight = startOfDay(text);
  return !Number.isNaN(midnight.getTime()) && utcDay(midnight) === text;
}

/** The UTC days of a window (YYYY-MM-DD), both ends included, oldest first; none when it is reversed. */
export function daysOfWindow(from: string, to: string): string[] {
  const count = Math.max(0, daysInWindow(from, to));
  return Array.from({ length: count }, (_, index) => daysBefore(to, count - 1 - index));
}

/** The number of days of a window, including both ends; zero or less when it is reversed. */
export function daysInWindow(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs + 1;
}
