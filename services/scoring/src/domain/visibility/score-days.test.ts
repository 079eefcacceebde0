import fc from 'fast-check';
import { scoringVersion } from '../scoring-version.ts';
import { type DayScore, scoreDays } from './score-days.ts';
import { visibility } from './visibility.ts';

const march = { version: 1, from_day: '2026-03-30', month: '2026-03', is_fixed: true };
const april = { version: 2, from_day: '2026-04-01', month: '2026-04', is_fixed: true };
/** Five terms of each letter: fewer make no basket. */
const termsOf = (...letters: string[]) =>
  letters.flatMap((letter) => [1, 2, 3, 4, 5].map((at) => ({ keyword: `${letter}${at}`, traffic: 50 })));
const ranksOf = (byLetter: Record<string, number | null>) => (keyword: string) => byLetter[keyword.charAt(0)];
const baskets = [
  { ...march, terms: termsOf('a') },
  { ...april, terms: termsOf('b') },
];
const shown = { a: 1, b: null };
const readings = ['2026-03-30', '2026-03-31', '2026-04-01', '2026-04-03'].map((day) => ({
  day,
  rankOf: ranksOf(shown),
  ratings: 7,
}));
/** Date, score and ratings of each day. */
const scoresOf = (days: DayScore[]) => days.map(({ date, score, ratings }) => ({ date, score, ratings }));
const window = { from: '2026-03-01', to: '2026-04-04' };

test('every day from the first reading on has a row; a day without a reading keeps ranks, but no rating count', () => {
  expect(scoresOf(scoreDays(window, { firstDay: '2026-03-30', readings, baskets }))).toEqual([
    { date: '2026-03-30', score: 100, ratings: 7 },
    { date: '2026-03-31', score: 100, ratings: 7 },
    // The April basket is in force.
    { date: '2026-04-01', score: 0, ratings: 7 },
    { date: '2026-04-02', score: 0, ratings: null },
    { date: '2026-04-03', score: 0, ratings: 7 },
    { date: '2026-04-04', score: 0, ratings: null },
  ]);
});

test('a term that was not read keeps its rank for two days, also that it was not ranked', () => {
  const terms = termsOf('a', 'b');
  const rows = [
    { day: '2026-03-30', rankOf: ranksOf({ a: 1, b: null }), ratings: null },
    { day: '2026-03-31', rankOf: ranksOf({ a: 2 }), ratings: null },
  ];
  const days = scoreDays(
    { from: '2026-03-30', to: '2026-04-03' },
    { firstDay: '2026-03-30', readings: rows, baskets: [{ ...march, terms }] },
  );
  expect(days.map(({ score, terms: read, carried_terms: carried }) => [score, read, carried])).toEqual([
    // 100 * sqrt(.3 / .6), then 100 * sqrt(.18 / .6)
    [70.7, 10, 0],
    [54.8, 5, 5],
    [54.8, 0, 10],
    // b was read three days before: half of the basket is unknown.
    [null, 0, 5],
    [null, 0, 0],
  ]);
});

test('ranks are carried into a window from the two days before it', () => {
  const later = { from: '2026-04-02', to: '2026-04-02' };
  const [day] = scoreDays(later, { firstDay: '2026-03-30', readings, baskets });
  expect(day).toMatchObject({ score: 0, terms: 0, carried_terms: 5 });
});

test('a window that starts after the first day starts with its own first day, read or not', () => {
  const later = { from: '2026-04-02', to: '2026-04-03' };
  const days = scoreDays(later, { firstDay: '2026-03-30', readings: readings.slice(3), baskets });
  expect(days.map(({ date }) => date)).toEqual(['2026-04-02', '2026-04-03']);
});

test('a day on which only the listing was read has ratings but no score', () => {
  const reading = { day: '2026-03-30', rankOf: ranksOf({}), ratings: 9 };
  const days = scoreDays(
    { from: '2026-03-30', to: '2026-03-30' },
    { firstDay: '2026-03-30', readings: [reading], baskets },
  );
  expect(scoresOf(days)).toEqual([{ date: '2026-03-30', score: null, ratings: 9 }]);
  expect(days[0]?.reason).toBe('too_little_read');
});

test('each day names its basket version, its formula version and its number of terms', () => {
  const terms = termsOf('a', 'b', 'c');
  const wide = [
    { ...march, terms },
    { ...april, terms },
  ];
  const one = { from: '2026-03-31', to: '2026-04-03' };
  const days = scoreDays(one, { firstDay: '2026-03-30', readings, baskets: wide });
  expect(days[0]).toMatchObject({ scoring_version: scoringVersion, basket_version: 1, terms: 10, ranked: 5 });
  expect(
    days.map(({ basket_version: basketVersion, terms, ranked }) => [basketVersion, terms, ranked]),
  ).toEqual([
    // c has no page; b has a page on which the listing does not rank.
    [1, 10, 5],
    [2, 10, 5],
    [2, 0, 0],
    [2, 10, 5],
  ]);
});

test('without a basket a day has no score and no terms', () => {
  const [day] = scoreDays(window, { firstDay: '2026-03-30', readings, baskets: [] });
  const reason = 'basket_too_small';
  expect(day).toMatchObject({ score: null, reason, basket_version: null, terms: 0, ranked: 0 });
});

test('a basket of four terms is too small for a score, one of five is not', () => {
  const daysOf = (count: number) =>
    scoreDays(
      { from: '2026-03-30', to: '2026-03-30' },
      {
        firstDay: '2026-03-30',
        readings,
        baskets: [{ ...march, terms: termsOf('a').slice(0, count) }],
      },
    );
  expect(daysOf(4)).toMatchObject([{ score: null, reason: 'basket_too_small', terms: 4, ranked: 4 }]);
  expect(daysOf(5)).toMatchObject([{ score: 100, reason: null, terms: 5, ranked: 5 }]);
});

test('the first day of a new basket also has the score over the one before', () => {
  const days = scoreDays(window, { firstDay: '2026-03-30', readings, baskets });
  expect(days.map(({ score, previous_basket_score: before }) => [score, before])).toEqual([
    [100, null],
    [100, null],
    [0, 100],
    [0, null],
    [0, null],
    [0, null],
  ]);
  const unread = scoreDays(window, { firstDay: '2026-03-30', readings: readings.slice(3), baskets });
  expect(unread[2]).toMatchObject({ score: null, reason: 'too_little_read', previous_basket_score: null });
});

test('without a reading, or before the first one, there are no rows', () => {
  expect(scoreDays(window, { firstDay: null, readings: [], baskets })).toEqual([]);
  expect(
    scoreDays({ from: '2026-02-01', to: '2026-02-09' }, { firstDay: '2026-03-30', readings: [], baskets }),
  ).toEqual([]);
});

test('each day has the visibility over the basket of its day, with the last ranks of three days, whatever was read', () => {
  const dates = ['2026-03-29', '2026-03-30', '2026-03-31', '2026-04-01', '2026-04-02', '2026-04-03'];
  const letters = ['a', 'b', 'c', 'd'];
  const rank = fc.oneof(fc.constantFrom(1, 2, 9, null), fc.constant(undefined));
  const ranksOfDay = fc.tuple(...letters.map(() => rank));
  const basket = fc.subarray(letters).map((chosen) => termsOf(...chosen));
  fc.assert(
    fc.property(fc.tuple(...dates.map(() => ranksOfDay)), basket, basket, (ranks, first, second) => {
      const rankAt = (at: number, keyword: string) => ranks[at]?.[letters.indexOf(keyword.charAt(0))];
      const rows = dates.map((day, at) => ({
        day,
        rankOf: (keyword: string) => rankAt(at, keyword),
        ratings: null,
      }));
      const versions = [
        { ...march, terms: first },
        { ...april, terms: second },
      ];
      const days = scoreDays(
        { from: '2026-03-31', to: '2026-04-03' },
        { firstDay: '2026-03-29', readings: rows, baskets: versions },
      );
      for (const [index, day] of days.entries()) {
        const at = index + 2;
        const scoreOf = (terms: typeof first) => {
          const last = (keyword: string) =>
            [at, at - 1, at - 2].map((one) => rankAt(one, keyword)).find((one) => one !== undefined);
          return visibility(terms.map(({ keyword, traffic }) => ({ traffic, rank: last(keyword) })));
        };
        const isApril = day.date >= april.from_day;
        const terms = isApril ? second : first;
        expect(day.score).toBe(scoreOf(terms));
        expect(day.previous_basket_score).toBe(day.date === april.from_day ? scoreOf(first) : null);
        const reason = terms.length < 5 ? 'basket_too_small' : 'too_little_read';
        expect(day.reason).toBe(day.score === null ? reason : null);
        expect(day.terms).toBe(terms.filter(({ keyword }) => rankAt(at, keyword) !== undefined).length);
      }
    }),
  );
});
