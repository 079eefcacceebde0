import { known, pending } from '../figure.ts';
import { describeFigure } from '../parts/describe-figure.ts';
import { formatEstimate, formatNumber, formatShortTime, formatTime } from './format.ts';

test.each([
  [17.16, '17'],
  [14.5, '15'],
  [1234.5, '1,235'],
  [9.96, '10'],
  [9.94, '9.9'],
  [3, '3'],
  [0.83, '0.8'],
  [-0.83, '-0.8'],
  [-17.16, '-17'],
  [0, '0'],
])('an estimate of %p is written as %s', (value, text) => {
  expect(formatEstimate(value)).toBe(text);
});

test.each([
  [0.04, '0.04'],
  [0.0049, '0.005'],
  [0.096, '0.1'],
])('%p is little, and not nothing: %s', (value, text) => {
  expect(formatEstimate(value)).toBe(text);
});

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

test.each([
  [25, 1, '25.0'],
  [32.84, 1, '32.84'],
  [0.1, 2, '0.10'],
  [0.002, 1, '0.002'],
  [0, 2, '0'],
] as const)('in a column %p has at least %i decimals, unless it is 0: %s', (value, least, text) => {
  expect(formatNumber(value, least)).toBe(text);
});

test('other numbers keep their decimals, and what has no number its words', () => {
  expect(describeFigure(known(17.16)).number).toBe('17.16');
  expect(describeFigure(known(17.16), formatEstimate)).toEqual({ number: '17', words: null });
  expect(describeFigure(pending, formatEstimate)).toEqual(describeFigure(pending));
});

test('a short time has neither zone nor seconds, and a year only when it is another one', () => {
  const today = new Date('2026-11-29T10:00:00Z');
  expect(formatShortTime('2026-11-23T14:05:59.999Z', today)).toBe('Nov 23, 14:05');
  expect(formatShortTime('2026-11-24T00:00:00Z', today)).toBe('Nov 24, 00:00');
  expect(formatShortTime('2025-12-31T23:59:00Z', today)).toBe('Dec 31, 2025, 23:59');
  expect(formatTime('2026-11-23T14:05:59.999Z')).toMatch(/^Nov 23, 2026, 2:05\sPM UTC$/);
});
