import fc from 'fast-check';
import { searched, unsearched } from '../../../../test/build-audit-input.ts';
import { createFormOf } from '../../text/form-of.ts';
import type { TermScore } from '../audit-input.ts';
import { findNeighbors, isNeighbor } from './neighbors.ts';

const withPage = (term: TermScore, ...ids: string[]): TermScore => ({
  ...term,
  page: { app_ids: ids, genres: null },
});
const fillers = (count: number) => Array.from({ length: count }, (_, at) => `filler ${at}`);
const formOf = createFormOf('en-US');
const neighborsOf = (terms: Record<string, TermScore>) =>
  findNeighbors('own', new Map(Object.entries(terms)), formOf);

test('the first ten apps of a term for which the app ranks 30 or better are its neighbors, the app itself is not', () => {
  const ids = ['a', 'own', 'b', ...fillers(7), 'eleventh'];
  const found = neighborsOf({ photo: withPage(searched(50, 50), ...ids) });
  expect([...found.keys()]).toEqual(['a', 'b', ...fillers(7)]);
});

test('a term for which the app ranks worse than 30, or not at all, brings no neighbors', () => {
  const at = (rank: number) =>
    neighborsOf({ photo: withPage(searched(50, 50), ...fillers(rank - 1), 'own') });
  expect(at(30).size).toBe(10);
  expect(at(31).size).toBe(0);
  expect(neighborsOf({ photo: withPage(searched(50, 50), 'a', 'b') }).size).toBe(0);
});

test('brands and terms that people do not search for bring no neighbors', () => {
  const brand = searched(50, 50, { app_id: 'a', developer_name: 'Somebody' });
  expect(neighborsOf({ brand: withPage(brand, 'a', 'own', ...fillers(3)) }).size).toBe(0);
  expect(neighborsOf({ lumen: withPage(unsearched, 'a', 'own') }).size).toBe(0);
  expect(neighborsOf({ unread: searched(50, 50) }).size).toBe(0);
});

test('for a term, apps are neighbors because of other terms only', () => {
  const found = neighborsOf({
    photo: withPage(searched(50, 50), 'own', 'a', 'b'),
    editor: withPage(searched(40, 40), 'b', 'own', 'c'),
  });
  const of = (keyword: string) => ['a', 'b', 'c'].filter((id) => isNeighbor(found, id, keyword));
  expect(of('photo')).toEqual(['b', 'c']);
  expect(of('editor')).toEqual(['a', 'b']);
  expect(of('collage')).toEqual(['a', 'b', 'c']);
});

test('a brand that a page of fewer than five results only suspects brings neighbors', () => {
  const suspected = { app_id: 'a', developer_name: 'Somebody' };
  const brand = { ...searched(50, 50), suspected_brand: suspected };
  expect(neighborsOf({ brand: withPage(brand, 'a', 'own', ...fillers(2)) }).size).toBe(3);
});

test('the forms of a term are not other terms', () => {
  const found = neighborsOf({
    habit: withPage(searched(50, 50), 'own', 'a', 'b'),
    habits: withPage(searched(40, 40), 'b', 'own', 'c'),
  });
  const of = (form: string) => ['a', 'b', 'c'].filter((id) => isNeighbor(found, id, form));
  expect(of('habit')).toEqual([]);
  expect(of('tracker')).toEqual(['a', 'b', 'c']);
});

test('only the 250 terms with the most traffic count, ties in the order of the normal form', () => {
  const many = Object.fromEntries(
    Array.from({ length: 250 }, (_, at) => [`term ${at}`, withPage(searched(50, 50), 'own', 'a')]),
  );
  expect(
    isNeighbor(neighborsOf({ ...many, 'a first': withPage(searched(50, 50), 'own', 'b') }), 'b', ''),
  ).toBe(true);
  expect(isNeighbor(neighborsOf({ ...many, zoo: withPage(searched(50, 50), 'own', 'b') }), 'b', '')).toBe(
    false,
  );
  expect(isNeighbor(neighborsOf({ ...many, zoo: withPage(searched(51, 50), 'own', 'b') }), 'b', '')).toBe(
    true,
  );
});

test('the order of the terms does not matter', () => {
  const ids = fc.shuffledSubarray(['own', 'a', 'b', 'c', 'd']);
  const terms = fc.uniqueArray(fc.record({ name: fc.string({ maxLength: 3 }), ids }), {
    selector: ({ name }) => name,
    maxLength: 8,
  });
  fc.assert(
    fc.property(terms, (list) => {
      const entries = list.map((one) => [one.name, withPage(searched(50, 50), ...one.ids)] as const);
      const sorted = (found: ReadonlyMap<string, string | null>) =>
        [...found].sort(([a], [b]) => (a < b ? -1 : 1));
      expect(sorted(findNeighbors('own', new Map(entries.toReversed()), formOf))).toEqual(
        sorted(findNeighbors('own', new Map(entries), formOf)),
      );
    }),
  );
});
