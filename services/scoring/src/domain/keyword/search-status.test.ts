import { buildApp, buildPage } from '../../../test/build-reading.ts';
import { placesOf } from './place.ts';
import { searchStatusOf } from './search-status.ts';

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

test('a term with enough traffic is searched when the store suggests it or a suggestion starts with it', () => {
  expect(searchStatusOf(5, others, suggested)).toBe('searched');
  expect(searchStatusOf(5, others, begins)).toBe('searched');
  expect(searchStatusOf(90, others, absent)).toBe('unsearched');
});

test('a term with enough traffic is searched when it is exactly in a title of the top 5', () => {
  expect(searchStatusOf(5, places('Best Photo Editor', 4), absent)).toBe('searched');
  expect(searchStatusOf(5, places('Best Photo Editor', 5), absent)).toBe('unsearched');
  expect(searchStatusOf(5, places('Editor of Photo', 0), absent)).toBe('unsearched');
});

test('without a suggestion reading, traffic alone decides', () => {
  expect(searchStatusOf(5, others, null)).toBe('searched');
  expect(searchStatusOf(4, others, null)).toBe('unsearched');
});

test('a term with a traffic below 5 is not searched, whatever the store suggests', () => {
  expect(searchStatusOf(4, places('Photo Editor'), suggested)).toBe('unsearched');
});

test('without a page a searched term is ungraded, and any other term is pending', () => {
  expect(searchStatusOf(50, null, suggested)).toBe('ungraded');
  expect(searchStatusOf(4, null, suggested)).toBe('pending');
  expect(searchStatusOf(0, null, absent)).toBe('pending');
  expect(searchStatusOf(null, null, null)).toBe('pending');
  expect(searchStatusOf(null, others, suggested)).toBe('pending');
});
