export const dayMs = 86_400_000;

/** The UTC day of a moment, as YYYY-MM-DD; such texts sort as the days do. */
export function utcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** Midnight, at which a UTC day (YYYY-MM-DD) begins. */
export function startOfDay(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}

/** The midnight that ends the UTC day of a moment. */
export function startOfNextDay(moment: Date): Date {
  return new Date(startOfDay(utcDay(moment)).getTime() + dayMs);
}

/** Whether a text is a day that exists, written YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const midnight = startOfDay(text);
  return !Number.isNaN(midnight.getTime()) && utcDay(midnight) === text;
}

/** How many days a window has, both ends counted; zero or less when it is reversed. */
export function daysInWindow(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs + 1;
}
