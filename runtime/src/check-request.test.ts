import {
  checkAccountId,
  checkCap,
  checkId,
  checkInteger,
  checkPage,
  checkText,
  checkWindow,
} from './check-request.ts';

test('a window has 1 to 400 days, including both ends', () => {
  expect(checkWindow('2026-03-10', '2026-03-10')).toEqual({ from: '2026-03-10', to: '2026-03-10' });
  expect(checkWindow('2025-01-01', '2026-02-04')).toEqual({ from: '2025-01-01', to: '2026-02-04' });
  expect(() => checkWindow('2025-01-01', '2026-02-05')).toThrow('from must be at most 399 days before to');
  expect(() => checkWindow('2026-03-11', '2026-03-10')).toThrow('from must not be after to');
  expect(() => checkWindow('2026-02-30', '2026-03-10')).toThrow('from must be a date');
  expect(() => checkWindow('2026-03-10', 'today')).toThrow('to must be a date');
});

test('a text length is inclusive at both bounds', () => {
  expect(checkText('term', 'ab', 1, 2)).toBe('ab');
  expect(checkText('title', '', 0, 2)).toBe('');
  expect(() => checkText('term', '', 1, 2)).toThrow('term must have 1 to 2 characters');
  expect(() => checkText('term', 'abc', 1, 2)).toThrow('term must have 1 to 2 characters');
  expect(checkAccountId('a'.repeat(64))).toHaveLength(64);
  expect(() => checkAccountId('a'.repeat(65))).toThrow('account_id must have 1 to 64 characters');
  expect(() => checkAccountId('')).toThrow('account_id');
});

test('a number is whole and within its bounds', () => {
  expect([checkInteger('page', 1, 1, 9), checkInteger('page', 9, 1, 9)]).toEqual([1, 9]);
  for (const page of [0, 10, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => checkInteger('page', page, 1, 9)).toThrow('page must be a whole number from 1 to 9');
  expect(checkId('row_id', 1)).toBe(1);
  for (const id of [0, -1, 2 ** 53]) expect(() => checkId('row_id', id)).toThrow('row_id must be');
});

test('a cap is 0 or more, or absent', () => {
  expect([checkCap('max_rows', 0), checkCap('max_rows', null), checkCap('max_rows', undefined)]).toEqual([
    0,
    null,
    null,
  ]);
  expect(() => checkCap('max_rows', -1)).toThrow('max_rows must be a whole number from 0');
});

test('a page number becomes the rows to skip, within the bounds of page and per_page', () => {
  expect(checkPage({ page: 1, per_page: 50 })).toEqual({ skip: 0, limit: 50 });
  expect(checkPage({ page: 3, per_page: 200 })).toEqual({ skip: 400, limit: 200 });
  for (const page of [0, 1_000_001]) expect(() => checkPage({ page, per_page: 1 })).toThrow('page must be');
  for (const perPage of [0, 201])
    expect(() => checkPage({ page: 1, per_page: perPage })).toThrow(
      'per_page must be a whole number from 1 to 200',
    );
});
