import { known, pending } from '../figure.ts';
import { describeFigure } from '../parts/describe-figure.ts';
import { formatNumber, formatShortTime, formatTime } from './format.ts';

test.each([
  [7, 1, '7.0'],
  [7.5, 1, '7.5'],
  [1234.56, 1, '1,234.6'],
  [17.16, 0, '17'],
  [-0.83, 0, '-1'],
  [0.5, 2, '0.50'],
  [0, 1, '0.0'],
] as const)('%p with decimals of a column, %p, is written as %s', (value, decimals, text) => {
  expect(formatNumber(value, decimals)).toBe(text);
});

test.each([
  [0.4, 0, '0.4'],
  [0.04, 1, '0.04'],
  [-0.002, 1, '-0.002'],
] as const)(
  '%p is little, and not nothing: with %p decimals it is written as %s',
  (value, decimals, text) => {
    expect(formatNumber(value, decimals)).toBe(text);
  },
);

test.each([
  [18.34, '18.34'],
  [1234.567, '1,234.57'],
  [0.006, '0.01'],
  [0.005, '0.01'],
  [0.0042, '0.004'],
  [-0.003, '-0.003'],
  [0.000002, '0.000002'],
  [0, '0'],
  [0.1 + 0.2 - 0.3, '0'],
])('%p is written as %s: only 0 is 0', (value, text) => {
  expect(formatNumber(value)).toBe(text);
});

test('other numbers keep their decimals, and what has no number its words', () => {
  expect(describeFigure(known(17.16)).number).toBe('17.16');
  expect(describeFigure(known(17.16), 0)).toEqual({ number: '17', words: null });
  expect(describeFigure(pending, 0)).toEqual(describeFigure(pending));
});

test('a short time has neither zone nor seconds, and a year only when it is another one', () => {
  const today = new Date('2026-11-29T10:00:00Z');
  expect(formatShortTime('2026-11-23T14:05:59.999Z', today)).toBe('Nov 23, 14:05');
  expect(formatShortTime('2026-11-24T00:00:00Z', today)).toBe('Nov 24, 00:00');
  expect(formatShortTime('2025-12-31T23:59:00Z', today)).toBe('Dec 31, 2025, 23:59');
  expect(formatTime('2026-11-23T14:05:59.999Z')).toMatch(/^Nov 23, 2026, 2:05\sPM UTC$/);
});
