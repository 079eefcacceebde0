import fc from 'fast-check';
import { buildApp, buildPage } from '../../../test/build-reading.ts';
import type { SuggestionMatch } from './keyword-reading.ts';
import { type KnownSuggestion, noSuggestion } from './known-suggestion.ts';
import { searchStatusOf } from './search-status.ts';
import { topResultsOf } from './top-result.ts';

const results = (title: string, at = 0) =>
  topResultsOf(
    'photo editor',
    buildPage(Array.from({ length: 10 }, (_, index) => buildApp(index === at ? { title } : {}))),
    'en',
  );
const others = results('Acorn');
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
    expect(searchStatusOf(5, results(title, 4), absent)).toBe('searched');
    expect(searchStatusOf(5, results(title, 5), absent)).toBe('unsearched');
  }
  expect(searchStatusOf(5, results('Editor of Photo', 0), absent)).toBe('unsearched');
});

test.each([
  ['offer up', 'OfferUp: Buy. Sell. Simple.'],
  ['text now', 'TextNow: Call + Text Unlimited'],
  ['class dojo', 'ClassDojo'],
  ['prize picks', 'PrizePicks - Fantasy Game'],
  ['meet me', 'MeetMe: Chat & Meet New People'],
  ['getting out', 'GettingOut - Mobile'],
])('%s, which the store does not suggest, is searched because of the title %s', (keyword, title) => {
  const page = topResultsOf(keyword, buildPage([buildApp({ title }), buildApp()]), 'en-US');
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
    expect(searchStatusOf(4, results('Photo Editor'), partial)).toBe('pending');
    expect(searchStatusOf(5, results('Photo Editor'), partial)).toBe('searched');
    expect(searchStatusOf(90, null, partial)).toBe('pending');
  }
});

test('a term with a traffic below 5 is not searched, whatever the store suggests', () => {
  expect(searchStatusOf(4, results('Photo Editor'), suggested)).toBe('unsearched');
});

test('a title that could not be read leaves the status open only where it could decide', () => {
  const unread = topResultsOf('photo editor', buildPage([buildApp({ title: null })]), 'en');
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

test('a term is searched only with enough traffic and a proof, never unsearched while a proof may follow', () => {
  const title = fc.constantFrom('Photo Editor', 'PhotoEditor', 'Photo Lab', 'Acorn', null);
  const page = fc.option(fc.array(title, { maxLength: 8 }));
  const suggestion = fc.constantFrom(suggested, begins, absent, noAutocomplete, firstLook, unanswered);
  fc.assert(
    fc.property(fc.nat(9), page, suggestion, (traffic, titles, known) => {
      const read = titles && buildPage(titles.map((one) => buildApp({ title: one })));
      const status = searchStatusOf(traffic, read && topResultsOf('photo editor', read, 'en'), known);
      const first = titles?.slice(0, 5) ?? [];
      const isNamed = first.some((one) => one === 'Photo Editor' || one === 'PhotoEditor');
      const isProven = traffic >= 5 && (isNamed || [suggested, begins, noAutocomplete].includes(known));
      expect(status === 'searched' || status === 'ungraded').toBe(isProven);
      const mayFollow = titles === null || known.isPartial || (traffic >= 5 && first.includes(null));
      expect(status === 'unsearched').toBe(!isProven && !mayFollow);
      expect(status === 'ungraded').toBe(isProven && titles === null);
    }),
  );
});
