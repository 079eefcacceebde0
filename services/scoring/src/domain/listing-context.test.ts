import type { Listing } from '@shelfwise/proto/store/v1/listing';
import { contextOf, textsOf } from './listing-context.ts';

const now = new Date('2026-03-10T09:00:00Z');
const listing: Listing = {
  app_id: '1001',
  unreadable: [],
  bundle_id: 'com.example.notes',
  url: 'https://store.test/1001',
  icon: 'https://icons.test/1001.png',
  title: 'Harbour Notes',
  description: 'One\r\ntwo\rthree',
  screenshots: ['a', 'b', 'c'],
  developer_name: 'Harbour Software',
  genre: 'Productivity',
  version: '1.2.3',
  score: 4.25,
  ratings: 1200,
  released_at: new Date('2025-12-10T09:00:00Z'),
  updated_at: new Date('2026-03-08T08:00:00Z'),
  subtitle: 'Write\r\nit down',
  languages: ['en', 'fr'],
  has_video: true,
  installs: 5000,
};
const shown = (changes: Partial<Listing>) => contextOf('ITUNES', { ...listing, ...changes }, now);

test('a listing gives everything that its audit needs', () => {
  expect(contextOf('GPLAY', listing, now)).toEqual({
    rating: 4.25,
    rating_count: 1200,
    installs: 5000,
    screenshots: 3,
    days_since_update: 2,
    age_months: 3,
    has_video: true,
    language_count: 2,
  });
});

test('values that the store does not publish are unknown: never 0, never a single language', () => {
  const silent = {
    score: null,
    ratings: null,
    released_at: null,
    updated_at: null,
    has_video: null,
    languages: [],
  };
  expect(shown(silent)).toEqual({
    rating: null,
    rating_count: null,
    installs: null,
    screenshots: 3,
    days_since_update: null,
    age_months: null,
    has_video: null,
    language_count: null,
  });
});

test.each([
  ['2025-12-10T09:00:00.001Z', 2],
  ['2025-03-10T09:00:00Z', 12],
  ['2026-02-28T23:00:00Z', 0],
  ['2026-03-11T00:00:00Z', 0],
  ['2027-01-01T00:00:00Z', 0],
])('an app released at %s is %i whole months old', (released, months) => {
  expect(shown({ released_at: new Date(released) }).age_months).toBe(months);
});

test('days since the update are whole days, and 0 for an update dated in the future', () => {
  expect(shown({ updated_at: new Date('2026-03-09T09:00:00.001Z') }).days_since_update).toBe(0);
  expect(shown({ updated_at: new Date('2026-03-09T09:00:00Z') }).days_since_update).toBe(1);
  expect(shown({ updated_at: new Date('2026-04-09T09:00:00Z') }).days_since_update).toBe(0);
});

test('every kind of line break counts 1; an unread subtitle is not an empty one', () => {
  const texts = { title: 'Harbour Notes', subtitle: 'Write\nit down', description: 'One\ntwo\nthree' };
  expect(textsOf(listing)).toEqual({ ...texts, kw_field: null });
  expect(textsOf({ ...listing, subtitle: null }).subtitle).toBeNull();
  expect(textsOf({ ...listing, subtitle: '' }).subtitle).toBe('');
});

test('how old the version of an unlisted app is cannot be known', () => {
  expect(shown({}).days_since_update).not.toBeNull();
  expect(contextOf('ITUNES', listing, now, now).days_since_update).toBeNull();
});

test('what could not be read is unknown, not none', () => {
  const unread = shown({
    screenshots: [],
    score: null,
    ratings: null,
    unreadable: ['screenshots', 'score', 'ratings'],
  });
  expect(unread).toMatchObject({ screenshots: null, rating: null, is_rating_unread: true });
  expect(shown({ screenshots: [], score: null, ratings: 0 })).toMatchObject({ screenshots: 0 });
  const texts = textsOf({ title: null, subtitle: 'Sub', description: null });
  expect(texts).toMatchObject({ title: null, subtitle: 'Sub', description: null });
});
