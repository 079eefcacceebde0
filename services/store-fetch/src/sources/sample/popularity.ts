import type { SampleApp } from './apps.ts';
import { storeSize } from './countries.ts';
import { drift, mix, unit } from './random.ts';

/**
 * The app's ratings in a country by a UTC day, as a real number. It never falls from one day to the next. It grows fast
 * for two years, more slowly afterwards, and hardly once the app is abandoned.
 */
export function ratingsOn(app: SampleApp, country: string, day: number): number {
  const unevenness = 0.8 * unit(mix(app.seed, 70, day));
  const age = day - 1 - app.releasedDay + unevenness;
  if (age <= 0) return 0;
  const activeDays = app.abandonedDay === null ? age : Math.min(age, app.abandonedDay - app.releasedDay);
  const effectiveAge = activeDays + 0.05 * (age - activeDays);
  return 10 ** app.popularity * countryShare(app, country) * (effectiveAge / (effectiveAge + 600));
}

/** The average rating that the store shows for this number of ratings: 1 to 5, null without ratings. */
export function scoreOn(app: SampleApp, ratings: number, day: number): number | null {
  if (ratings === 0) return null;
  const feeling = app.quality + 0.09 * drift(mix(app.seed, 71), day, 120);
  if (ratings < 40) return roundTo(Math.min(5, Math.max(1, Math.round(feeling * ratings) / ratings)), 2);
  return roundTo(Math.min(4.95, Math.max(1, feeling)), 2);
}

/** From 0 (unknown) to about 1 (millions of ratings): the effect of an app's size on searches and charts. */
export function strengthOf(ratings: number): number {
  return Math.log10(1 + ratings) / 6.5;
}

/** The country's share of ratings, relative to the United States; an app is better known in its home country. */
function countryShare(app: SampleApp, country: string): number {
  const { home } = app.brand.developer;
  const taste = 0.3 * 10 ** unit(mix(app.seed, 72, country.charCodeAt(0), country.charCodeAt(1)));
  if (home.country === 'US') return storeSize(country) * (country === 'US' ? 1 : taste);
  if (country === home.country) return storeSize(country) * 3;
  return storeSize(country) * taste * (country === 'US' ? 0.45 : 0.7);
}

function roundTo(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
