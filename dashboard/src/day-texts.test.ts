import { readDayTexts, toDayTexts } from './day-texts.ts';

test('a day without a value has none, and 0 is a value', () => {
  const values = new Map([
    ['2026-11-01', 0],
    ['2026-11-04', 61.8],
  ]);
  const text = toDayTexts('2026-11-01', '2026-11-05', (day) => values.get(day) ?? null);
  expect(text).toBe('0,,,61.8,');
  expect(readDayTexts(text)).toEqual([0, null, null, 61.8, null]);
});
