import { TermListQuery_Field as Field, type TermListQuery } from '@shelfwise/proto/scoring/v1/scoring';
import fc from 'fast-check';
import { unmeasured } from '../domain/audit/audit-input.ts';
import type { SeenTerm } from './seen-term.ts';
import { checkTermList, createTermFilter, pageOfTerms } from './term-list.ts';

const query: TermListQuery = { order: Field.UNSPECIFIED, descending: false, page: 1, per_page: 10 };

function termOf(
  keyword: string,
  changes: Partial<SeenTerm> & { traffic?: number; difficulty?: number } = {},
) {
  const { traffic = null, difficulty = null, ...rest } = changes;
  const page = { app_ids: [], day: '2026-03-10', is_cut: false };
  return {
    keyword,
    keyword_id: null,
    page,
    score: { ...unmeasured, traffic, difficulty },
    kei: null,
    ...rest,
  };
}

const rows = [
  { term: termOf('beta', { traffic: 40, difficulty: 70, kei: 10 }), rank: 3, gain: 0.5, value: 20 },
  { term: termOf('alpha', { traffic: 40, difficulty: 20, kei: 30 }), rank: null, gain: 1, value: 20 },
  { term: termOf('gamma', { keyword_id: 4 }), rank: 50, gain: null, value: null },
  { term: termOf('delta', { traffic: 4, difficulty: 60, kei: 0 }), rank: 8, gain: 0, value: 35 },
];

const inOrder = (changes: Partial<TermListQuery>) =>
  pageOfTerms(rows, checkTermList({ ...query, ...changes })).map(({ term }) => term.keyword);

test.each([
  [Field.UNSPECIFIED, false, ['delta', 'alpha', 'beta', 'gamma']],
  [Field.VALUE, false, ['alpha', 'beta', 'delta', 'gamma']],
  [Field.KEYWORD, false, ['alpha', 'beta', 'delta', 'gamma']],
  [Field.KEYWORD, true, ['gamma', 'delta', 'beta', 'alpha']],
  [Field.TRAFFIC, true, ['alpha', 'beta', 'delta', 'gamma']],
  [Field.DIFFICULTY, false, ['alpha', 'delta', 'beta', 'gamma']],
  [Field.KEI, true, ['alpha', 'beta', 'delta', 'gamma']],
  [Field.RANK, false, ['beta', 'delta', 'gamma', 'alpha']],
  [Field.GAIN, true, ['alpha', 'beta', 'delta', 'gamma']],
])('order %p, descending: %p', (order, descending, expected) => {
  expect(inOrder({ order, descending })).toEqual(expected);
});

test('a short page of many rows is that of all in order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.nat(9)), { minLength: 20, maxLength: 60 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
      (ranks, page, perPage, descending) => {
        // As the keywords of a list, in any order.
        const many = ranks.map((rank, at) => ({ term: termOf(`${(7 * at) % 61}`), rank, value: null }));
        const pageOf = (changes: Partial<TermListQuery>) =>
          pageOfTerms(many, checkTermList({ ...query, order: Field.RANK, descending, ...changes }));
        const from = (page - 1) * perPage;
        expect(pageOf({ page, per_page: perPage })).toEqual(
          pageOf({ per_page: 1000 }).slice(from, from + perPage),
        );
      },
    ),
  );
});

test('values that cannot be among the first are not computed, and the page is the same', () => {
  const computed: number[] = [];
  const rowOf = (most: number | null, share: number | null, at: number) => ({
    term: termOf(`${(7 * at) % 61}`),
    rank: null,
    mostValue: most,
    get value() {
      computed.push(at);
      return most === null || share === null ? null : (most * share) / 4;
    },
  });
  const first = (rows: readonly ReturnType<typeof rowOf>[]) =>
    pageOfTerms(rows, checkTermList({ ...query, per_page: 2 })).map(({ term }) => term.keyword);
  const whole = (rows: readonly ReturnType<typeof rowOf>[]) =>
    pageOfTerms(rows, checkTermList({ ...query, per_page: 1000 })).map(({ term }) => term.keyword);
  const bounds = fc.tuple(fc.option(fc.nat(9)), fc.option(fc.nat(4)));
  fc.assert(
    fc.property(fc.array(bounds, { minLength: 16, maxLength: 60 }), (given) => {
      const rows = given.map(([most, share], at) => rowOf(most, share, at));
      expect(first(rows)).toEqual(whole(rows).slice(0, 2));
    }),
  );
  computed.length = 0;
  first(Array.from({ length: 30 }, (_, at) => rowOf(30 - at, 4, at)));
  expect(Math.max(...computed)).toBeLessThanOrEqual(2);
});

test('a page has its rows, the last one what is left', () => {
  expect(inOrder({ page: 1, per_page: 3 })).toEqual(['delta', 'alpha', 'beta']);
  expect(inOrder({ page: 2, per_page: 3 })).toEqual(['gamma']);
  expect(inOrder({ page: 3, per_page: 3 })).toEqual([]);
});

test.each([
  [{}, ['beta', 'alpha', 'gamma', 'delta']],
  [{ search: 'ALPH' }, ['alpha']],
  [{ search: 'ta' }, ['beta', 'delta']],
  [{ min_traffic: 5 }, ['beta', 'alpha']],
  [{ min_traffic: 0 }, ['beta', 'alpha', 'delta']],
  [{ max_difficulty: 60 }, ['alpha', 'delta']],
  [{ is_tracked: true }, ['gamma']],
  [{ is_tracked: false }, ['beta', 'alpha', 'delta']],
])('narrowed by %j', (changes, expected) => {
  const isListed = createTermFilter(checkTermList({ ...query, ...changes }));
  expect(rows.filter(({ term }) => isListed(term)).map(({ term }) => term.keyword)).toEqual(expected);
});

test.each([
  { page: 0 },
  { per_page: 0 },
  { per_page: 1001 },
  { min_traffic: 101 },
  { max_difficulty: -1 },
  { search: '' },
  { search: 'x'.repeat(401) },
  { order: 'OTHER' as Field },
])('%j is refused', (changes) => {
  expect(() => checkTermList({ ...query, ...changes })).toThrow(
    expect.objectContaining({ code: 'INVALID_PARAMS' }),
  );
});
