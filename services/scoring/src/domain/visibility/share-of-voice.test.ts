import fc from 'fast-check';
import { compareVisibility, type PagedTerm } from './compare-visibility.ts';
import { largestApps, othersShare, roundShare, sharesOfVoice, voiceAndVisibility } from './share-of-voice.ts';
import { visibility } from './visibility.ts';

/** A failure can be repeated. */
const seed = 46;

const appIds = Array.from({ length: 120 }, (_, index) => `app.${index}`);
const page = fc.shuffledSubarray(appIds, { maxLength: 100 });
const traffic = fc.integer({ min: 0, max: 100 });
const terms = (maxLength: number): fc.Arbitrary<PagedTerm[]> =>
  fc.array(fc.record({ traffic, app_ids: fc.option(page, { freq: 8 }) }), { maxLength });

const sum = (shares: readonly (number | null)[]) => shares.reduce<number>((all, one) => all + (one ?? 0), 0);

test('worked by hand', () => {
  const pages = [
    { traffic: 50, app_ids: ['a', 'b'] },
    { traffic: 50, app_ids: ['b', 'c', 'a'] },
  ];
  // Clicks: a .3 + .12, b .18 + .3, c .18; together 1.08.
  const [a, b, c] = [0.42 / 1.08, 0.48 / 1.08, 0.18 / 1.08];
  for (const [index, share] of sharesOfVoice(pages, ['a', 'b', 'c']).entries())
    expect(share).toBeCloseTo([a, b, c][index] ?? Number.NaN, 12);
  expect(largestApps(pages, 2)).toEqual(['b', 'a']);
  // exp(.0615 * 20) = 3.42 times as many searches.
  const [first] = sharesOfVoice(
    [
      { traffic: 20, app_ids: ['a'] },
      { traffic: 0, app_ids: ['b'] },
    ],
    ['a'],
  );
  expect(first).toBeCloseTo(3.4212 / 4.4212, 4);
});

test('the shares of all apps sum to 1, or none is known', () => {
  fc.assert(
    fc.property(terms(12), (pages) => {
      const shares = sharesOfVoice(pages, appIds);
      if (shares.includes(null)) expect(new Set(shares)).toEqual(new Set([null]));
      else expect(sum(shares)).toBeCloseTo(1, 9);
    }),
    { seed },
  );
});

test.each([
  [0, 0],
  [1, 1],
  [0.38889, 0.3889],
  [0.00005, 0.0001],
  [0.000049, 0.00005],
  [0.0000314, 0.00003],
  [2.4e-8, 2e-8],
])('a share of %p is answered as %p', (share, answered) => expect(roundShare(share)).toBe(answered));

test('of all apps only those on no page have 0, a larger share is not answered as less, and all sum to 1 with the others', () => {
  fc.assert(
    fc.property(terms(12), fc.integer({ min: 1, max: 100 }), (pages, count) => {
      const exact = sharesOfVoice(pages, appIds).flatMap((share) => share ?? []);
      const answered = exact.map(roundShare);
      expect(answered.map((share) => share > 0)).toEqual(exact.map((share) => share > 0));
      const bySize = (shares: number[]) => shares.toSorted((a, b) => b - a);
      expect(bySize(exact).map(roundShare)).toEqual(bySize(answered));
      const shown = exact.slice(0, count);
      if (shown.length === 0) return;
      const others = othersShare(shown);
      // Each is rounded by half a place at most.
      expect(Math.abs(sum(shown.map(roundShare)) + others - 1)).toBeLessThan(0.00005 * (count + 1));
      if (sum(exact.slice(count)) > 0) expect(others).toBeGreaterThan(0);
    }),
    { seed },
  );
});

test('the others have what the answered shares leave of 1, and more than 0 if there are any', () => {
  expect(othersShare([0.5, 0.25])).toBe(0.25);
  expect(othersShare([0.7, 0.0000314])).toBe(0.29997);
  expect(othersShare([0.9, 0.1])).toBe(0);
  expect(othersShare([0.1, 0.2, 0.7])).toBe(0);
  // 0.99996 is answered as 1.
  expect(othersShare([0.99996])).toBe(0.00004);
});

test('with the shares comes the visibility of each app, as it is computed by itself', () => {
  fc.assert(
    fc.property(terms(12), (pages) => {
      const some = appIds.slice(0, 6);
      const { shares, visibilities } = voiceAndVisibility(pages, some);
      expect(shares).toEqual(sharesOfVoice(pages, some));
      expect(visibilities).toEqual(compareVisibility(pages, some));
    }),
    { seed },
  );
});

test('of fewer than five terms there are shares, and no visibility', () => {
  const page = { traffic: 50, app_ids: ['a'] };
  expect(voiceAndVisibility(Array(4).fill(page), ['a', 'z'])).toEqual({
    shares: [1, 0],
    visibilities: [null, null],
  });
  expect(voiceAndVisibility(Array(5).fill(page), ['a', 'z'])).toEqual({
    shares: [1, 0],
    visibilities: [100, 0],
  });
});

test('no app has a larger share than the largest ones, which are in order', () => {
  fc.assert(
    fc.property(terms(8), fc.integer({ min: 1, max: 20 }), (pages, count) => {
      const largest = largestApps(pages, count);
      const shares = sharesOfVoice(pages, largest).map((share) => share ?? 0);
      expect(shares).toEqual(shares.toSorted((a, b) => b - a));
      const rest = appIds.filter((appId) => !largest.includes(appId));
      const highest = Math.max(0, ...sharesOfVoice(pages, rest).map((share) => share ?? 0));
      if (largest.length === count) expect(highest).toBeLessThanOrEqual((shares.at(-1) ?? 0) + 1e-12);
      else expect(highest).toBe(0);
    }),
    { seed, numRuns: 50 },
  );
});

test('the larger share belongs to the app with the higher visibility', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ traffic, app_ids: page }), { minLength: 5, maxLength: 8 }),
      fc.shuffledSubarray(appIds, { minLength: 2, maxLength: 2 }),
      (pages, pair) => {
        const [a, b] = sharesOfVoice(pages, pair);
        if (a == null || b == null) return;
        const [scoreOfA = 0, scoreOfB = 0] = pair.map(
          (appId) =>
            visibility(
              pages.map(({ traffic, app_ids: ids }) => ({
                traffic,
                rank: ids.includes(appId) ? ids.indexOf(appId) + 1 : null,
              })),
            ) ?? Number.NaN,
        );
        if (a > b) expect(scoreOfA).toBeGreaterThanOrEqual(scoreOfB);
        else expect(scoreOfB).toBeGreaterThanOrEqual(scoreOfA);
      },
    ),
    { seed, numRuns: 50 },
  );
});

test('without 80 % of the searches, or without an app, there are no shares; an app on no page has 0', () => {
  const read = { traffic: 40, app_ids: ['a'] };
  const unread = { traffic: 40, app_ids: null };
  expect(sharesOfVoice([read, read, read, read, unread], ['a', 'z'])).toEqual([1, 0]);
  expect(sharesOfVoice([read, read, read, unread], ['a', 'z'])).toEqual([null, null]);
  expect(sharesOfVoice([{ traffic: 40, app_ids: [] }], ['a'])).toEqual([null]);
  expect(sharesOfVoice([], ['a'])).toEqual([null]);
  // A page without results is read, too.
  expect(sharesOfVoice([read, { traffic: 90, app_ids: [] }], ['a'])).toEqual([1]);
});
