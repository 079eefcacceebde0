import { buildApp, buildPage } from '../../../test/build-reading.ts';
import { placesOf } from './place.ts';
import { standingOf } from './standing.ts';

const places = (title: string, at = 0) =>
  placesOf(
    'photo editor',
    buildPage(Array.from({ length: 10 }, (_, index) => buildApp(index === at ? { title } : {}))),
    'en',
  );
const others = places('Acorn');
const suggested = { kind: 'suggested', prefix: 'p', index: 0, size: 5 } as const;
const begins = { kind: 'begins', count: 1, size: 5 } as const;
const absent = { kind: 'absent', size: 5 } as const;

test('a term with traffic is searched when the store suggests it, or it begins a suggestion', () => {
  expect(standingOf(5, others, suggested)).toBe('searched');
  expect(standingOf(5, others, begins)).toBe('searched');
  expect(standingOf(90, others, absent)).toBe('unsearched');
});

test('a term with traffic is searched when it stands exactly in a title of the top 5', () => {
  expect(standingOf(5, places('Best Photo Editor', 4), absent)).toBe('searched');
  expect(standingOf(5, places('Best Photo Editor', 5), absent)).toBe('unsearched');
  expect(standingOf(5, places('Editor of Photo', 0), absent)).toBe('unsearched');
});

test('without a suggestion reading the traffic alone decides', () => {
  expect(standingOf(5, others, null)).toBe('searched');
  expect(standingOf(4, others, null)).toBe('unsearched');
});

test('a term with a traffic below 5 is not searched, whatever the store suggests', () => {
  expect(standingOf(4, places('Photo Editor'), suggested)).toBe('unsearched');
});

test('without a page a searched term is ungraded, and of any other nothing is known', () => {
  expect(standingOf(50, null, suggested)).toBe('ungraded');
  expect(standingOf(4, null, suggested)).toBe('pending');
  expect(standingOf(0, null, absent)).toBe('pending');
  expect(standingOf(null, null, null)).toBe('pending');
  expect(standingOf(null, others, suggested)).toBe('pending');
});
