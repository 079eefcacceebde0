import fc from 'fast-check';
import { compareFavorites, compareNames, compareValues } from './keyword-order.ts';

type Row = {
  keyword: string;
  keyword_id: number;
  listing_id: number;
  favorite_order: number;
  value: number | null;
};

const row = (keyword: string, value: number | null, keywordId = 1, listingId = 1): Row => ({
  keyword,
  keyword_id: keywordId,
  listing_id: listingId,
  favorite_order: 1,
  value,
});
const sorted = (rows: Row[], isDescending: boolean) =>
  [...rows].sort(compareValues((one: Row) => one.value, isDescending));

test('rows without a value come last in either direction', () => {
  const rows = [row('a', null), row('b', 2), row('c', 0), row('d', -3), row('e', null)];
  const names = (isDescending: boolean) => sorted(rows, isDescending).map(({ keyword }) => keyword);
  expect(names(false)).toEqual(['d', 'c', 'b', 'a', 'e']);
  expect(names(true)).toEqual(['b', 'c', 'd', 'a', 'e']);
});

test('equal values are in the order of the keywords, then of the ids, in either direction', () => {
  const rows = [row('b', 1), row('a', 1, 2, 1), row('a', 1, 1, 9), row('a', 1, 1, 3)];
  for (const isDescending of [false, true])
    expect(sorted(rows, isDescending).map((one) => [one.keyword, one.keyword_id, one.listing_id])).toEqual([
      ['a', 1, 3],
      ['a', 1, 9],
      ['a', 2, 1],
      ['b', 1, 1],
    ]);
});

test('favorites come first', () => {
  const rows = [row('a', null), { ...row('b', null), favorite_order: 0 }];
  expect(rows.sort(compareFavorites).map(({ keyword }) => keyword)).toEqual(['b', 'a']);
});

test('every order is the same, however the rows were ordered before', () => {
  const anyRow = fc.record({
    keyword: fc.constantFrom('a', 'b', '\u{1f4f7}', '写真'),
    keyword_id: fc.integer({ min: 1, max: 3 }),
    listing_id: fc.integer({ min: 1, max: 3 }),
    favorite_order: fc.constantFrom(0, 1),
    value: fc.option(fc.integer({ min: -2, max: 2 }), { nil: null }),
  });
  const identity = (one: Row) => `${one.keyword} ${one.keyword_id} ${one.listing_id}`;
  const rows = fc.uniqueArray(anyRow, { selector: identity, maxLength: 20 });
  const orders = [
    compareFavorites,
    compareNames,
    ...[true, false].map((isDescending) => compareValues((one: Row) => one.value, isDescending)),
  ];
  fc.assert(
    fc.property(rows, fc.constantFrom(...orders), (given, compare) => {
      expect([...given].reverse().sort(compare)).toEqual([...given].sort(compare));
    }),
  );
});
