import { buildApp, buildPage } from '../../../test/build-reading.ts';
import type { SuggestionMatch } from './keyword-reading.ts';
import { type KnownSuggestion, noSuggestion } from './known-suggestion.ts';
import { placesOf } from './place.ts';
import { searchStatusOf } from './search-status.ts';

const places = (title: string, at = 0) =>
  placesOf(
    'photo editor',
    buildPage(Array.from({ length: 10 }, (_, index) => buildApp(index === at ? { title } : {}))),
    'en',
  );
const others = places('Acorn');
const known = (match: SuggestionMatch): KnownSuggestion => ({ match, isPartial: false });
const suggested = known({ kind: 'suggested', prefix: 'p', index: 0, size: 5 });
const begins = known({ kind: 'begins', count: 1, size: 5 });
const absent = known({ kind: 'absent', size: 5 });
const noAutocomplete: KnownSuggestion = { match: null, isPartial: false };
const firstLook: KnownSuggestion = { match: noSuggestion, isPartial: true };
const unanswered: KnownSuggestion = { match: null, isPartial: true };

test('a term with enough traffic is searched when the store suggests it or a suggestion starts with it', () => {
  expect(searchStatusOf(5, others, suggested)).toBe('searched');
  expect(searchStatusOf(5, others, begins)).toBe('searched');
  expect(searchStatusOf(90, others, absent)).toBe('unsearched');
});

test('a term with enough traffic is searched when a title of the top 5 has it, also joined or in the plural', () => {
  for (const title of ['Best Photo Editor', 'PhotoEditor Pro', 'Photo Editors', 'Phótò editor']) {
    expect(searchStatusOf(5, places(title, 4), absent)).toBe('searched');
    expect(searchStatusOf(5, places(title, 5), absent)).toBe('unsearched');
  }
  expect(searchStatusOf(5, places('Editor of Photo', 0), absent)).toBe('unsearched');
});

test.each([
  ['offer up', 'OfferUp: Buy. Sell. Simple.'],
  ['text now', 'TextNow: Call + Text Unlimited'],
  ['class dojo', 'ClassDojo'],
  ['prize picks', 'PrizePicks - Fantasy Game'],
  ['meet me', 'MeetMe: Chat & Meet New People'],
  ['getting out', 'GettingOut - Mobile'],
])('%s, which the store does not suggest, is searched because of the title %s', (keyword, title) => {
  const page = placesOf(keyword, buildPage([buildApp({ title }), buildApp()]), 'en-US');
  expect(searchStatusOf(20, page, absent)).toBe('searched');
  expect(searchStatusOf(4, page, absent)).toBe('unsearched');
});

test('where the store has no autocomplete, traffic alone decides', () => {
  expect(searchStatusOf(5, others, noAutocomplete)).toBe('searched');
  expect(searchStatusOf(4, others, noAutocomplete)).toBe('unsearched');
});

test('while the suggestions are unknown, a term is pending unless a title of the top 5 has it', () => {
  for (const partial of [firstLook, unanswered]) {
    expect(searchStatusOf(90, others, partial)).toBe('pending');
    expect(searchStatusOf(0, others, partial)).toBe('pending');
    expect(searchStatusOf(4, places('Photo Editor'), partial)).toBe('pending');
    expect(searchStatusOf(5, places('Photo Editor'), partial)).toBe('searched');
    expect(searchStatusOf(90, null, partial)).toBe('pending');
  }
});

test('a term with a traffic below 5 is not searched, whatever the store suggests', () => {
  expect(searchStatusOf(4, places('Photo Editor'), suggested)).toBe('unsearched');
});

test('a title that could not be read leaves the status open only where it could decide', () => {
  const unread = placesOf('photo editor', buildPage([buildApp({ title: null })]), 'en');
  expect(searchStatusOf(5, unread, absent)).toBe('pending');
  expect(searchStatusOf(4, unread, absent)).toBe('unsearched');
  expect(searchStatusOf(5, unread, suggested)).toBe('searched');
});

test('without a page a searched term is ungraded, and any other term is pending', () => {
  expect(searchStatusOf(50, null, suggested)).toBe('ungraded');
  expect(searchStatusOf(4, null, suggested)).toBe('pending');
  expect(searchStatusOf(0, null, absent)).toBe('pending');
  expect(searchStatusOf(null, null, unanswered)).toBe('pending');
  expect(searchStatusOf(null, others, suggested)).toBe('pending');
});
