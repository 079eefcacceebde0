import fc from 'fast-check';
import { compareVisibility } from './compare-visibility.ts';
import { visibility } from './visibility.ts';

const appIds = ['a', 'b', 'c', 'd'];
const terms = fc.array(
  fc.record({
    traffic: fc.integer({ min: 0, max: 100 }),
    app_ids: fc.shuffledSubarray([...appIds, 'e', 'f', 'g']),
  }),
  { minLength: 1, maxLength: 8 },
);

test('apps are compared over the same terms, by their ranks on the same pages', () => {
  const pages = [
    { traffic: 50, app_ids: ['a', 'b'] },
    { traffic: 50, app_ids: ['b', 'x', 'c'] },
  ];
  // a: first and unranked; b: second and first; c: unranked and third. 100 * sqrt(mean share / .3).
  expect(compareVisibility(pages, ['a', 'b', 'c'])).toEqual([70.7, 89.4, 44.7]);
});

test('an app that ranks for no term scores 0; without a page no app has a score', () => {
  expect(compareVisibility([{ traffic: 50, app_ids: ['a'] }], ['z'])).toEqual([0]);
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
