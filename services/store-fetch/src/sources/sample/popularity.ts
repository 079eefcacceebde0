import type { SampleApp } from './apps.ts';
import { storeSize } from './countries.ts';
import { drift, mix, unit } from './random.ts';

/**
 * Ratings that the app has gathered in a country by a UTC day, as a real number: it never falls from one day to the
 * next, grows fast in the first two years and slower after, and hardly at all once the app is abandoned.
 */
export function ratingsOn(app: SampleApp, country: string, day: number): number {
  const unevenness = 0.8 * unit(mix(app.seed, 70, day));
  const age = day - 1 - app.releasedDay + unevenness;
  if (age <= 0) return 0;
  const activeDays = app.abandonedDay === null ? age : Math.min(age, app.abandonedDay - app.releasedDay);
  const effectiveAge = activeDays + 0.05 * (age - activeDays);
  return 10 ** app.popularity * countryShare(app, country) * (effectiveAge / (effectiveAge + 600));
}

/** The average rating that the store shows for so many ratings: 1 to 5, null when nobody has rated the app. */
export function scoreOn(app: SampleApp, ratings: number, day: number): number | null {
  if (ratings === 0) return null;
  const feeling = app.quality + 0.09 * drift(mix(app.seed, 71), day, 120);
  if (ratings < 40) return roundTo(Math.min(5, Math.max(1, Math.round(feeling * ratings) / ratings)), 2);
  return roundTo(Math.min(4.95, Math.max(1, feeling)), 2);
}

/** 0 (nobody knows it) to about 1 (millions of ratings): what search and charts make of an app's size. */
export function strengthOf(ratings: number): number {
  return Math.log10(1 + ratings) / 6.5;
}

/** How many of the ratings come from the country, relative to the United States; at home the app is better known. */
function countryShare(app: SampleApp, country: string): number {
  const { home } = app.brand.developer;
  const taste = 0.3 * 10 ** unit(mix(app.seed, 72, country.charCodeAt(0), country.charCodeAt(1)));
  if (home === 'US') return storeSize(country) * (country === 'US' ? 1 : taste);
  if (country === home) return storeSize(country) * 3;
  return storeSize(country) * taste * (country === 'US' ? 0.45 : 0.7);
}

function roundTo(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
