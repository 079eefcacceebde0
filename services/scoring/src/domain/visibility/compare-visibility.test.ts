import fc from 'fast-check';
import { compareVisibility, type PagedTerm } from './compare-visibility.ts';
import { visibility } from './visibility.ts';

const appIds = ['a', 'b', 'c', 'd'];
const terms = fc.array(
  fc.record({
    traffic: fc.integer({ min: 0, max: 100 }),
    app_ids: fc.shuffledSubarray([...appIds, 'e', 'f', 'g']),
  }),
  { minLength: 5, maxLength: 8 },
);

const fiveTimes = (pages: readonly PagedTerm[]) => [1, 2, 3, 4, 5].flatMap(() => pages);

test('apps are compared over the same terms, by their ranks on the same pages', () => {
  const pages = fiveTimes([
    { traffic: 50, app_ids: ['a', 'b'] },
    { traffic: 50, app_ids: ['b', 'x', 'c'] },
  ]);
  // a: first and unranked; b: second and first; c: unranked and third. 100 * sqrt(mean share / .3).
  expect(compareVisibility(pages, ['a', 'b', 'c'])).toEqual([70.7, 89.4, 44.7]);
});

test('an app that ranks for no term scores 0; without a page, or with fewer than five, no app has a score', () => {
  const page = { traffic: 50, app_ids: ['a'] };
  expect(compareVisibility(fiveTimes([page]), ['z'])).toEqual([0]);
  expect(compareVisibility(fiveTimes([page]).slice(1), ['a', 'z'])).toEqual([null, null]);
  expect(compareVisibility([], ['a', 'z'])).toEqual([null, null]);
});

test('each app has the same visibility as alone, whatever it is compared with', () => {
  fc.assert(
    fc.property(terms, (pages) => {
      const alone = appIds.map((appId) =>
        visibility(
          pages.map(({ traffic, app_ids: appIds }) => ({
            traffic,
            rank: appIds.includes(appId) ? appIds.indexOf(appId) + 1 : null,
          })),
        ),
      );
      expect(compareVisibility(pages, appIds)).toEqual(alone);
    }),
  );
});
