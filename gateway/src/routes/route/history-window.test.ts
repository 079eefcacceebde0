import fc from 'fast-check';
import { resolveHistoryWindow } from './history-window.ts';

const now = new Date('2026-06-15T23:59:59Z');
const windowOf = (from?: string, to?: string, planDays: number | null = null) =>
  resolveHistoryWindow({ from, to }, { now, plan: { limits: { historical_data_days: planDays } } });

test.each([
  ['nothing', undefined, undefined, '2026-05-16', '2026-06-15'],
  ['a start', '2026-06-01', undefined, '2026-06-01', '2026-06-15'],
  ['an end within the last 30 days', undefined, '2026-06-01', '2026-05-16', '2026-06-01'],
  ['an end before the last 30 days', undefined, '2026-03-31', '2026-03-01', '2026-03-31'],
  ['both', '2026-01-01', '2026-02-01', '2026-01-01', '2026-02-01'],
  ['one day', '2026-01-01', '2026-01-01', '2026-01-01', '2026-01-01'],
  ['reversed dates', '2026-02-01', '2026-01-01', '2026-01-01', '2026-02-01'],
  ['a future end', '2026-06-01', '2027-01-01', '2026-06-01', '2026-06-15'],
  ['a future start', '2027-01-01', undefined, '2026-06-15', '2026-06-15'],
  ['only the future', '2027-01-01', '2027-02-01', '2026-06-15', '2026-06-15'],
  ['more than 400 days', '2020-01-01', '2026-06-15', '2025-05-12', '2026-06-15'],
  ['exactly 400 days', '2025-05-12', '2026-06-15', '2025-05-12', '2026-06-15'],
  ['the year 1', '0001-01-01', undefined, '2025-05-12', '2026-06-15'],
])('%s, %s..%s, resolves to %s..%s', (_what, from, to, expectedFrom, expectedTo) => {
  expect(windowOf(from, to)).toEqual({ from: expectedFrom, to: expectedTo });
});

test('a default start is moved to the depth of the plan', () => {
  expect(windowOf(undefined, undefined, 7)).toEqual({ from: '2026-06-08', to: '2026-06-15' });
});

test('a requested start before the depth of the plan is PLAN_LIMIT', () => {
  expect(windowOf('2026-06-08', undefined, 7)).toEqual({ from: '2026-06-08', to: '2026-06-15' });
  expect(() => windowOf('2026-06-07', undefined, 7)).toThrow(expect.objectContaining({ code: 'PLAN_LIMIT' }));
  expect(() => windowOf('2026-06-15', '2026-06-01', 7)).toThrow(
    expect.objectContaining({ code: 'PLAN_LIMIT' }),
  );
});

test('the message about the plan’s depth uses singular and plural correctly', () => {
  const refused = (days: number) => () => windowOf('2026-01-01', undefined, days);
  expect(refused(0)).toThrow('Your plan includes no history. Request only today.');
  expect(refused(1)).toThrow('Your plan includes 1 day of history. Request a later start.');
  expect(refused(7)).toThrow('Your plan includes 7 days of history. Request a later start.');
  expect(windowOf(undefined, undefined, 0)).toEqual({ from: '2026-06-15', to: '2026-06-15' });
});

test('an end before the depth of the plan is PLAN_LIMIT', () => {
  expect(() => windowOf(undefined, '2026-06-01', 7)).toThrow(expect.objectContaining({ code: 'PLAN_LIMIT' }));
});

test('a window is never reversed, never in the future and never longer than 400 days', () => {
  const day = fc
    .integer({ min: 0, max: 40_000 })
    .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));
  const maybe = fc.option(day, { nil: undefined });
  fc.assert(
    fc.property(maybe, maybe, (from, to) => {
      const window = windowOf(from, to);
      expect(window.from <= window.to && window.to <= '2026-06-15').toBe(true);
      expect(Date.parse(window.to) - Date.parse(window.from)).toBeLessThan(400 * 86_400_000);
    }),
  );
});
