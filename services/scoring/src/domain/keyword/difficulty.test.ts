import fc from 'fast-check';
import { atLeastRuns } from '../../../../../testing/at-least-runs.ts';
import { evenlyBetween } from '../../../../../testing/evenly-between.ts';
import {
  apps,
  buildApp,
  buildPage,
  daysAgo,
  pages,
  ratingCounts,
  readAt,
} from '../../../test/build-reading.ts';
import { type Difficulty, difficultyOf } from './difficulty.ts';
import type { PageApp } from './keyword-reading.ts';
import { topResultsOf } from './top-result.ts';

const keyword = 'photo editor';
const measureOrNull = (list: PageApp[], now = readAt) =>
  difficultyOf(topResultsOf(keyword, buildPage(list), 'en'), now);
const measure = (list: PageApp[]) => measureOrNull(list) as Difficulty;
/** -1: null */
const difficulty = (list: PageApp[], now = readAt) => measureOrNull(list, now)?.score ?? -1;
const ten = (overrides: Partial<PageApp>) => Array.from({ length: 10 }, () => buildApp(overrides));

describe('worked examples', () => {
  test('ten strong apps that name the keyword', () => {
    // R 9,999: A (4 - 1) / 5 = .6, S (4 - 2) / 2 = 1; 4.8 stars: Q 1; 30 days: F 1; T 1
    // 100 * (.33 + .20 + .15 + .05 + .05) = 78; cap 15 + 85 = 100
    const list = ten({ title: 'Photo Editor', ratings: 9999, rating: 4.8, updated_at: daysAgo(30) });
    const { score, parts } = measure(list);
    expect(score).toBe(78);
    expect([parts.A, parts.T, parts.S, parts.Q, parts.F].map((part) => part?.toFixed(9))).toEqual(
      [0.6, 1, 1, 1, 1].map((part) => part.toFixed(9)),
    );
    expect(parts.raw).toBeCloseTo(78, 9);
  });

  test('ten average apps about something else; an exact half is rounded up', () => {
    // R 999: A .4, S .5; 3.9 stars: Q .5; 30 + 167.5 days: F .5; T 0: 100 * (.22 + .075 + .025 + .025) = 34.5
    expect(difficulty(ten({ updated_at: daysAgo(197.5) }))).toBe(35);
  });

  test('a leader without ratings caps the score, less so where the titles name the keyword', () => {
    // Installs 999,999: A (6 - 3) / 6 = .5; T .25 (one word of two); S 0; Q 0; F 1: raw 27.5 + 5 + 5 = 37.5
    // cap 15; 15 + 22.5 * .25 = 20.625
    const list = ten({ title: 'Photo Lab', ratings: 0, rating: null, installs: 999_999 });
    expect(measure(list)).toMatchObject({ score: 21, parts: { A: 0.5, cap: 15 } });
  });

  test('the first result weighs more than the second', () => {
    // weights 1 and 1 / log2(3) = .63093: T = 1 / 1.63093 = .61315
    const named = buildApp({ title: 'Photo Editor' });
    expect(measure([named, buildApp()]).parts.T).toBeCloseTo(0.61315, 5);
    expect(measure([buildApp(), named]).parts.T).toBeCloseTo(0.38685, 5);
  });
});

describe('missing values', () => {
  test('a result without a value is left out of that part only', () => {
    const [unknown, known] = [buildApp({ updated_at: null }), buildApp({ updated_at: daysAgo(197.5) })];
    expect(measure([unknown, known]).parts.F).toBeCloseTo(0.5, 9);
  });

  test('a part without any value is dropped and the others share its weight', () => {
    // as in the worked example without F: 100 * (.22 + .075 + .025) / .95 = 33.68
    expect(measure(ten({ updated_at: null }))).toMatchObject({ score: 34, parts: { F: null } });
  });

  test('an app with an unknown rating count counts by its installs alone and sets no cap', () => {
    const list = ten({ ratings: null, rating: null, installs: 999_999 });
    // A .5, T 0, F 1: 100 * (.275 + .05) / .8 = 40.625
    expect(measure(list)).toMatchObject({ score: 41, parts: { A: 0.5, S: null, Q: null, cap: null } });
  });

  test('an app without ratings has a rating part of 0, not an unknown one', () => {
    // weights 1 and .63093: Q = 1 / 1.63093
    const strong = buildApp({ ratings: 9999, rating: 4.8 });
    expect(measure([strong, buildApp({ ratings: 0, rating: null })]).parts.Q).toBeCloseTo(0.61315, 5);
    expect(measure([strong, buildApp({ ratings: 9, rating: null })]).parts.Q).toBeCloseTo(1, 9);
  });

  test('without the strength of half of the results, by weight, there is no difficulty', () => {
    const unknown = buildApp({ ratings: null, installs: null });
    // weights 1, .63093 and .5: the first one has 47 % of the sum, with the third one 70 %
    expect(measureOrNull([buildApp(), unknown, unknown])).toBeNull();
    expect(measureOrNull([buildApp(), unknown, buildApp()])).not.toBeNull();
    expect(measureOrNull([unknown, buildApp({ ratings: null, installs: 9 }), buildApp()])).not.toBeNull();
  });
});

describe('properties', () => {
  const resultLists = fc.array(apps, { minLength: 1, maxLength: 14 });

  test('it is unknown only if the strength of less than half of the first ten, by weight, is known', () => {
    fc.assert(
      fc.property(resultLists, (list) => {
        const sumOf = (list: readonly PageApp[], counts: (app: PageApp) => boolean) =>
          list.reduce((sum, app, at) => sum + (counts(app) ? 1 / Math.log2(at + 2) : 0), 0);
        const first = list.slice(0, 10);
        const known = sumOf(first, ({ ratings, installs }) => ratings !== null || installs !== null);
        expect(measureOrNull(list) === null).toBe(known < sumOf(first, () => true) / 2 - 1e-9);
      }),
    );
  });

  test('difficulty is a whole number from 0 to 100', () => {
    fc.assert(
      fc.property(resultLists, (list) => {
        const score = difficulty(list);
        expect(Number.isInteger(score)).toBe(true);
        expect(score).toBeGreaterThanOrEqual(-1);
        expect(score).toBeLessThanOrEqual(100);
      }),
    );
  });

  test('more ratings for any of the ten apps never lower it', () => {
    fc.assert(
      fc.property(resultLists, fc.nat(9), ratingCounts, (list, at, more) => {
        const raised = list.map((app, index) =>
          index === at && app.ratings !== null ? { ...app, ratings: app.ratings + more } : app,
        );
        expect(difficulty(raised)).toBeGreaterThanOrEqual(difficulty(list));
      }),
      atLeastRuns(500),
    );
  });

  test('the first rating of an app never lowers it, whatever its stars', () => {
    const stars = evenlyBetween(1, 5);
    fc.assert(
      fc.property(resultLists, fc.nat(9), stars, (list, at, rating) => {
        const unrated = list.map((app, index) => (index === at ? { ...app, ratings: 0, rating: null } : app));
        const rated = unrated.map((app, index) => (index === at ? { ...app, ratings: 1, rating } : app));
        expect(difficulty(rated)).toBeGreaterThanOrEqual(difficulty(unrated));
      }),
    );
  });

  test('more installs never lower it', () => {
    fc.assert(
      fc.property(resultLists, fc.nat(9), ratingCounts, (list, at, more) => {
        const raised = list.map((app, index) =>
          index === at && app.installs !== null ? { ...app, installs: app.installs + more } : app,
        );
        expect(difficulty(raised)).toBeGreaterThanOrEqual(difficulty(list));
      }),
    );
  });

  test('putting the keyword into a title never lowers it', () => {
    fc.assert(
      fc.property(resultLists, fc.nat(9), fc.boolean(), (list, at, isFirst) => {
        const named = list.map((app, index) => {
          const title = isFirst ? `${keyword} ${app.title}` : `${app.title} ${keyword}`;
          return index === at ? { ...app, title } : app;
        });
        expect(difficulty(named)).toBeGreaterThanOrEqual(difficulty(list));
      }),
    );
  });

  test('n results give at most 10 n, and none gives 0', () => {
    fc.assert(
      fc.property(resultLists, (list) => expect(difficulty(list)).toBeLessThanOrEqual(10 * list.length)),
    );
    expect(difficulty([])).toBe(0);
    expect(difficulty([buildApp({ title: 'Photo Editor', ratings: 1e9, rating: 5 })])).toBe(10);
  });

  test('apps after the tenth do not matter', () => {
    fc.assert(
      fc.property(pages(10), fc.array(apps, { maxLength: 5 }), (page, others) => {
        const list = page.apps.slice(0, 10);
        expect(difficulty([...list, ...others])).toBe(difficulty(list));
      }),
    );
  });

  test('letter case and spaces do not matter', () => {
    fc.assert(
      fc.property(resultLists, (list) => {
        const shouted = list.map((app) => ({
          ...app,
          title: (app.title ?? '').toUpperCase().replaceAll(' ', '   '),
        }));
        expect(difficulty(shouted)).toBe(difficulty(list));
        const results = topResultsOf('  PHOTO   Editor ', buildPage(list), 'en');
        expect(difficultyOf(results, readAt)?.score ?? -1).toBe(difficulty(list));
      }),
    );
  });

  /**
   * When all rating counts grow tenfold, raw gains at most 100 * (.55 / 5 + .15 / 2 + .05 / 2) = 21 points (22.2
   * where F is missing) and the cap 85 / 4 = 21.25; above the cap the score moves by a weighted mean of the two.
   */
  test('no cliff: a few more ratings move it a little', () => {
    const growth = evenlyBetween(1, 1.5);
    fc.assert(
      fc.property(resultLists, growth, (list, times) => {
        const grown = list.map((app) => ({
          ...app,
          // An app without ratings has no stars either; its first rating is a separate test.
          ratings: app.ratings === null || app.ratings === 0 ? app.ratings : (app.ratings + 1) * times - 1,
        }));
        const rounding = 1;
        expect(difficulty(grown) - difficulty(list)).toBeLessThanOrEqual(22.2 * Math.log10(times) + rounding);
      }),
      atLeastRuns(500),
    );
  });

  /** Of raw, tenfold installs gain at most 100 * .55 / 6 = 9.2 points (12.3 where S, Q and F are missing). */
  test('no cliff: a few more installs, or slightly better stars, move it a little', () => {
    const growth = evenlyBetween(1, 1.5);
    const better = evenlyBetween(0, 0.1);
    fc.assert(
      fc.property(resultLists, growth, better, (list, times, stars) => {
        const rounding = 1;
        const installed = list.map((app) => ({
          ...app,
          installs: app.installs === null ? null : (app.installs + 1) * times - 1,
        }));
        const risen = difficulty(installed) - difficulty(list);
        expect(risen).toBeLessThanOrEqual(12.3 * Math.log10(times) + rounding);
        const liked = list.map((app) => ({
          ...app,
          rating: app.rating === null ? null : Math.min(5, app.rating + stars),
        }));
        const change = difficulty(liked) - difficulty(list);
        expect(change >= 0 && change <= rounding).toBe(true);
      }),
      atLeastRuns(500),
    );
  });

  test('no cliff: from one day to the next it changes by at most 1', () => {
    fc.assert(
      fc.property(resultLists, fc.nat(400), (list, days) => {
        const change = difficulty(list, daysAgo(-days)) - difficulty(list, daysAgo(-days - 1));
        expect(change === 0 || change === 1).toBe(true);
      }),
    );
  });
});

test('an unknown title is left out of the titles, and without any title the difficulty is unknown', () => {
  const known = buildPage([buildApp({ title: 'Photo Editor' }), buildApp({ title: 'Photo Editor' })]);
  const odd = {
    ...known,
    apps: known.apps.map((app, index) => (index === 1 ? { ...app, title: null } : app)),
  };
  const partsOf = (page: typeof known) =>
    difficultyOf(topResultsOf('photo editor', page, 'en'), readAt)?.parts ?? null;
  expect(partsOf(odd)).toEqual(partsOf(known));
  const untitled = { ...known, apps: known.apps.map((app) => ({ ...app, title: null })) };
  expect(partsOf(untitled)).toBeNull();
});
