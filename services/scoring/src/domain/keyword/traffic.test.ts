import fc from 'fast-check';
import { atLeastRuns } from '../../../../../testing/at-least-runs.ts';
import { evenlyBetween } from '../../../../../testing/evenly-between.ts';
import { apps, buildApp, buildPage, ratingCounts } from '../../../test/build-reading.ts';
import type { PageApp, SuggestionMatch } from './keyword-reading.ts';
import { topResultsOf } from './top-result.ts';
import { type TrafficInput, trafficOf } from './traffic.ts';

const keyword = 'photo editor';
const results = (list: PageApp[]) => topResultsOf(keyword, buildPage(list), 'en');
const traffic = (input: Partial<TrafficInput>) =>
  trafficOf({ results: null, match: null, charted: null, words: 2, ...input });
const ten = (overrides: Partial<PageApp>) => results(Array.from({ length: 10 }, () => buildApp(overrides)));
const early: SuggestionMatch = { kind: 'suggested', prefix: 'pho', index: 0, size: 10 };
const absent: SuggestionMatch = { kind: 'absent', size: 10 };

describe('worked examples', () => {
  const strong = ten({ title: 'Photo Editor', ratings: 999_999 });

  test('a term that is suggested early and has big apps in its results', () => {
    // suggest .1 + .8 * (1 - 2 / 11) + .1 = .85455; rel 1; L (6 - 1) / 6 = .83333; X 6 / 7 = .85714; D 1; M 1; C .5
    // (.51273 + .21667 + .18857 + .12 + .10 + .05) / 1.4 = .84855; two words: .35 + .65 * .9 = .935; 79.34
    const found = traffic({ results: strong, match: early, charted: 5 });
    expect(found?.score).toBe(79);
    expect(found?.parts).toMatchObject({ rel: 1, relL: 1, D: 1, M: 1, C: 0.5, words: 2, spec: 0.9 });
    expect(found?.parts.suggest).toBeCloseTo(0.85455, 5);
    expect(found?.parts.base).toBeCloseTo(0.84855, 4);
  });

  test('an unknown suggestion is dropped; an absent one counts as 0', () => {
    // .67524 / .8 = .84405, * .935 = 78.92; .67524 / 1.4 = .48231, * .935 = 45.10
    expect(traffic({ results: strong, match: null, charted: 5 })?.score).toBe(79);
    expect(traffic({ results: strong, match: absent, charted: 5 })?.score).toBe(45);
  });

  test('results that do not match the term count little', () => {
    // mean evidence 0: rel .3; L .83333 * .3 = .25; X, M 0; D .3: (.065 + .036) / .7 = .14429, * .935 = 13.49
    const found = traffic({ results: ten({ ratings: 999_999 }) });
    expect(found?.score).toBe(13);
    expect(found?.parts).toMatchObject({ rel: 0.3, X: 0, M: 0, suggest: null, C: null });
  });

  test('without a page the suggestion alone counts', () => {
    // 85.455 * .935 = 79.9
    expect(traffic({ match: early })).toMatchObject({ score: 80, parts: { L: null, M: null, rel: null } });
  });

  test('a term that is suggested late has at least .1, whatever its position', () => {
    const late = traffic({ match: { kind: 'suggested', prefix: 'photo editor', index: 9, size: 10 } });
    expect(late?.parts.suggest).toBeCloseTo(0.1, 9);
  });

  test('a title of the top 3 that has all words counts the leader in full, a later one does not', () => {
    // 999,999 ratings: logc 5 / 6; mean evidence .095, rel .3
    const at = (index: number) => {
      const list = Array.from({ length: 10 }, () => buildApp({ ratings: 999_999 }));
      return traffic({ results: results(list.with(index, buildApp({ title: 'PhotoEditor', ratings: 9 }))) });
    };
    expect(at(2)?.parts).toMatchObject({ rel: 0.3, relL: 0.95 });
    expect(at(2)?.parts.L).toBeCloseTo((5 / 6) * 0.95, 5);
    expect(at(3)?.parts).toMatchObject({ rel: 0.3, relL: 0.3 });
  });

  test('a joined spelling, a plural and an accent count as exact titles', () => {
    for (const title of ['PhotoEditor', 'Photos Editor', 'Phótö Editor'])
      expect(traffic({ results: ten({ title, ratings: 999_999 }) })?.parts.X).toBeCloseTo(6 / 7, 5);
    expect(traffic({ results: ten({ title: 'Editor of photo', ratings: 999_999 }) })?.parts.X).toBe(0);
  });

  test('the start of 3 of 10 suggestions counts .03; an empty list counts 0', () => {
    expect(traffic({ match: { kind: 'begins', count: 3, size: 10 } })?.parts.suggest).toBeCloseTo(0.03, 9);
    expect(traffic({ match: { kind: 'absent', size: 0 } })?.parts.suggest).toBe(0);
  });

  test('the only suggestion counts as the first one', () => {
    const only = traffic({ match: { kind: 'suggested', prefix: 'p', index: 0, size: 1 } });
    expect(only?.parts.suggest).toBe(1);
  });

  test('a CJK character counts as three', () => {
    const after = (prefix: string) =>
      traffic({ match: { kind: 'suggested', prefix, index: 0, size: 5 } })?.score;
    expect(after('写')).toBe(after('pho'));
    expect(after('写真')).toBe(after('photo '));
  });

  test('the median of an even number of apps is the mean of the middle two', () => {
    // R 99 and 899: median 499, log 2.69897: (1.69897 / 4.5) * .3
    const found = traffic({ results: results([buildApp({ ratings: 99 }), buildApp({ ratings: 899 })]) });
    expect(found?.parts.D).toBeCloseTo((1.69897 / 4.5) * 0.3, 5);
  });
});

describe('missing values', () => {
  test('with nothing known, traffic is null, not 0', () => {
    expect(traffic({})).toBeNull();
  });

  test('apps with unknown rating counts are left out; if none is known, L, X and D are dropped', () => {
    const unrated = ten({ title: 'Photo Editor', ratings: null });
    const found = traffic({ results: unrated, match: absent });
    expect(found?.parts).toMatchObject({ L: null, X: null, D: null, M: 1 });
    const one = results([buildApp({ ratings: null }), buildApp({ ratings: 9_999_999 })]);
    expect(traffic({ results: one })?.parts.L).toBeCloseTo(0.3, 5);
  });

  test('an empty page has no share in the chart', () => {
    expect(traffic({ results: [], match: early, charted: 0 })?.parts.C).toBeNull();
  });
});

describe('properties', () => {
  const lists = fc.array(apps, { maxLength: 12 });
  const matches: fc.Arbitrary<SuggestionMatch | null> = fc.option(
    fc.oneof(
      fc.record({
        kind: fc.constant('suggested' as const),
        prefix: fc.integer({ min: 1, max: keyword.length }).map((length) => keyword.slice(0, length)),
        index: fc.nat(4),
        size: fc.integer({ min: 5, max: 10 }),
      }),
      fc.record({ kind: fc.constant('begins' as const), count: fc.constant(2), size: fc.nat({ max: 8 }) }),
      fc.record({ kind: fc.constant('absent' as const), size: fc.nat(10) }),
    ),
  );
  const inputs = fc
    .record({
      list: lists,
      match: matches,
      charted: fc.option(evenlyBetween(0, 1)),
    })
    .map(({ list, match, charted }) => ({
      list,
      input: {
        results: results(list),
        match,
        charted: charted === null ? null : Math.round(charted * Math.min(10, list.length)),
      },
    }));
  /** -1: null */
  const score = (input: Partial<TrafficInput>) => traffic(input)?.score ?? -1;

  test('traffic is a whole number from 0 to 100', () => {
    fc.assert(
      fc.property(inputs, ({ input }) => {
        expect(Number.isInteger(score(input))).toBe(true);
        expect(score(input)).toBeGreaterThanOrEqual(-1);
        expect(score(input)).toBeLessThanOrEqual(100);
      }),
    );
  });

  test('no results and no suggestion give 0, whatever else is known', () => {
    fc.assert(
      fc.property(
        fc.option(fc.nat(10)),
        fc.nat(10),
        fc.integer({ min: 1, max: 9 }),
        (charted, size, words) => {
          expect(score({ results: [], match: { kind: 'absent', size }, charted, words })).toBe(0);
        },
      ),
    );
  });

  test('titles and charted apps alone give no traffic, because they say nothing about demand; a suggestion or ratings do', () => {
    fc.assert(
      fc.property(inputs, ({ list, input }) => {
        const rated = list.some(({ ratings }) => ratings !== null);
        expect(traffic(input) !== null).toBe(input.match !== null || list.length === 0 || rated);
      }),
    );
  });

  test('a suggested term has at least .1, the start of suggestions at most that, any other term 0', () => {
    fc.assert(
      fc.property(inputs, ({ input }) => {
        const suggest = traffic(input)?.parts.suggest ?? null;
        if (suggest === null || input.match === null) return expect(suggest).toBe(input.match);
        const { kind } = input.match;
        const [least, most] = { suggested: [0.1, 1], begins: [0, 0.1], absent: [0, 0] }[kind] as [
          number,
          number,
        ];
        expect(suggest).toBeGreaterThanOrEqual(least - 1e-12);
        expect(suggest).toBeLessThanOrEqual(most + 1e-12);
      }),
    );
  });

  test('a shorter prefix never lowers it', () => {
    const length = fc.integer({ min: 1, max: keyword.length });
    fc.assert(
      fc.property(inputs, length, length, fc.nat(9), ({ input }, a, b, index) => {
        const at = (chars: number): SuggestionMatch => ({
          kind: 'suggested',
          prefix: keyword.slice(0, chars),
          index,
          size: 10,
        });
        const [shorter, longer] = [Math.min(a, b), Math.max(a, b)];
        expect(score({ ...input, match: at(shorter) })).toBeGreaterThanOrEqual(
          score({ ...input, match: at(longer) }),
        );
      }),
    );
  });

  test('a better position among the suggestions never lowers it', () => {
    fc.assert(
      fc.property(inputs, fc.nat(9), fc.nat(9), ({ input }, a, b) => {
        const at = (index: number): SuggestionMatch => ({
          kind: 'suggested',
          prefix: 'photo',
          index,
          size: 10,
        });
        expect(score({ ...input, match: at(Math.min(a, b)) })).toBeGreaterThanOrEqual(
          score({ ...input, match: at(Math.max(a, b)) }),
        );
      }),
    );
  });

  test('more ratings never lower it', () => {
    fc.assert(
      fc.property(inputs, fc.nat(9), ratingCounts, ({ list, input }, at, more) => {
        const raised = list.map((app, index) =>
          index === at && app.ratings !== null ? { ...app, ratings: app.ratings + more } : app,
        );
        expect(score({ ...input, results: results(raised) })).toBeGreaterThanOrEqual(score(input));
      }),
      atLeastRuns(500),
    );
  });

  test('an extra word, all else equal, never raises it; from the sixth word on it changes nothing', () => {
    fc.assert(
      fc.property(inputs, fc.integer({ min: 1, max: 12 }), ({ input }, words) => {
        const [fewer, more] = [score({ ...input, words }), score({ ...input, words: words + 1 })];
        expect(more).toBeLessThanOrEqual(fewer);
        if (words >= 6) expect(more).toBe(fewer);
      }),
    );
  });

  test('an unreadable suggestion list is not treated as an absent suggestion', () => {
    fc.assert(
      fc.property(inputs, ({ input }) => {
        const unknown = traffic({ ...input, match: null })?.parts.base ?? 0;
        const absence = traffic({ ...input, match: absent })?.parts.base ?? 0;
        if (unknown > 0) expect(unknown).toBeGreaterThan(absence);
      }),
    );
  });

  /** When all counts grow tenfold, traffic gains at most 100 * (.26 / 6 + .22 / 7 + .12 / 4.5) / .7 = 14.5 points. */
  test('no cliff: a few more ratings move it a little', () => {
    const rated = fc.array(
      fc.record({ app: apps, ratings: ratingCounts }).map(({ app, ratings }) => ({ ...app, ratings })),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(rated, matches, evenlyBetween(1, 1.5), (list, match, times) => {
        const grown = list.map((app) => ({ ...app, ratings: (app.ratings + 1) * times - 1 }));
        const change = score({ results: results(grown), match }) - score({ results: results(list), match });
        const rounding = 1;
        expect(change).toBeLessThanOrEqual(14.5 * Math.log10(times) + rounding);
      }),
    );
  });
});
