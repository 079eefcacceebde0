import { isNewPage } from './keyword-page.ts';

const pageOf = (day: string, size: number) => ({
  keyword_id: 7,
  day,
  app_ids: Array.from({ length: size }, (_, index) => `app-${index}`),
});

test.each([
  [100, 1, 100, true],
  [100, 1, 34, true],
  [100, 1, 33, false],
  [100, 7, 33, false],
  // Small for good.
  [100, 8, 33, true],
  [10, 1, 3, false],
  // Too few to tell.
  [9, 1, 3, true],
  [100, 1, 0, false],
  [100, 8, 0, false],
  [100, 0, 100, false],
])('after %i results, %i days later %i are news: %s', (before, days, size, isNews) => {
  const day = `2026-03-${String(10 + days)}`;
  expect(isNewPage(pageOf('2026-03-10', before), pageOf(day, size))).toBe(isNews);
});

test('the first page of a keyword is news, unless it is empty', () => {
  expect(isNewPage(null, pageOf('2026-03-10', 3))).toBe(true);
  expect(isNewPage(null, pageOf('2026-03-10', 0))).toBe(false);
});
