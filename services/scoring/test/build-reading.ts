import fc from 'fast-check';
import { evenlyBetween } from '../../../testing/evenly-between.ts';
import {
  blankReading,
  type KeywordReading,
  type PageApp,
  type ResultPage,
} from '../src/domain/keyword/keyword-reading.ts';

export const readAt = new Date('2026-11-21T08:00:00Z');

/** Days before `readAt`. */
export function daysAgo(days: number): Date {
  return new Date(readAt.getTime() - days * 86_400_000);
}

/** A mid-sized app that mentions no keyword. */
export function buildApp(overrides: Partial<PageApp> = {}): PageApp {
  return {
    app_id: '1',
    title: 'Acorn',
    developer_name: 'Oak Works',
    icon: 'https://icons.example/1.png',
    genre: 'Utilities',
    genre_key: '6002',
    rating: 3.9,
    ratings: 999,
    installs: null,
    updated_at: daysAgo(30),
    ...overrides,
  };
}

export function buildPage(apps: PageApp[], overrides: Partial<ResultPage> = {}): ResultPage {
  return {
    day: '2026-11-21',
    read_at: readAt,
    source: 'sample',
    size: apps.length,
    apps,
    details_read_at: readAt,
    ...overrides,
  };
}

export function buildReading(overrides: Partial<KeywordReading> = {}): KeywordReading {
  return { ...blankReading, ...overrides };
}

/** A stored suggestion. */
export function suggested(match: NonNullable<KeywordReading['suggestion']>['match']) {
  return { read_at: readAt, source: 'sample', match, probes: [] };
}

const titleWords = fc.constantFrom('Photo', 'Editor', 'PhotoEditor', 'Lab', 'Video', '写真', '&', 'for');

/** Rating counts of all magnitudes, small ones as often as large ones. */
export const ratingCounts = evenlyBetween(0, 8).map((power) => Math.floor(10 ** power - 1));

export const apps: fc.Arbitrary<PageApp> = fc.record({
  app_id: fc.nat(99).map(String),
  title: fc.array(titleWords, { maxLength: 4 }).map((words) => words.join(' ')),
  developer_name: fc.constantFrom('Oak Works', 'Photo Editor Studio', 'Lab Ltd'),
  icon: fc.constant(''),
  genre: fc.constant(null),
  genre_key: fc.constant(null),
  rating: fc.option(evenlyBetween(1, 5)),
  ratings: fc.option(ratingCounts, { freq: 8 }),
  installs: fc.option(ratingCounts, { freq: 2 }),
  updated_at: fc.option(fc.integer({ min: 0, max: 2000 }).map(daysAgo)),
});

/** Result pages of any length, on which any optional field of an app may be missing. */
export function pages(minLength = 0): fc.Arbitrary<ResultPage> {
  return fc.array(apps, { minLength, maxLength: 14 }).map((list) => buildPage(list));
}
