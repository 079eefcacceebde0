import fc from 'fast-check';
import { buildNicheApp, buildNicheTerm, now, tenApps } from '../../test/build-niche-term.ts';
import { findNiches } from './find-niches.ts';
import type { NicheTerm } from './niche-term.ts';

/** Whatever leads to the first apps of these tests is about the topic. */
const around = {
  topic: 'habit',
  suggested: new Set<string>(),
  topicApps: Array.from({ length: 60 }, (_, at) => String(at)),
};
const market = { store: 'ITUNES', lang: 'en-US', now } as const;

test('a niche is named after its most searched keyword and lists all of them, the most searched first', () => {
  const found = findNiches(
    [
      buildNicheTerm('habits', { traffic: 50, difficulty: 60 }),
      buildNicheTerm('habit tracker', { traffic: 70, difficulty: 40 }),
    ],
    market,
    around,
  );
  // Values 70 * .84 = 58.8 and 50 * .64 = 32: .85 * (20.58 + 8) = 24.293; .15 * 20 * log2(3) = 4.755
  expect(found).toEqual([
    {
      name: 'habit tracker',
      app_concept: expect.stringMatching(/^A Productivity app for “habit tracker” and “habits”: .+\.$/),
      intent_type: 'utility',
      opportunity_score: 29,
      keywords: [
        { name: 'habit tracker', traffic_score: 70, difficulty_score: 40 },
        { name: 'habits', traffic_score: 50, difficulty_score: 60 },
      ],
    },
  ]);
});

test('a term by itself is a niche from traffic 10 on', () => {
  const alone = (traffic: number) => findNiches([buildNicheTerm('habit', { traffic })], market, around);
  expect(alone(10)).toHaveLength(1);
  expect(alone(9)).toEqual([]);
});

test('terms that few people search for are a niche together', () => {
  const terms = ['habit app', 'habit log'].map((keyword) => buildNicheTerm(keyword, { traffic: 6 }));
  expect(findNiches(terms, market, around)).toHaveLength(1);
});

test('the niche with the most opportunity comes first, equals in the order of their names', () => {
  const alone = (keyword: string, difficulty: number, from: number) =>
    buildNicheTerm(keyword, { difficulty, top: tenApps(from) });
  const found = findNiches(
    [alone('zen', 30, 1), alone('hard', 90, 21), alone('calm', 30, 41)],
    market,
    around,
  );
  expect(found.map(({ name }) => name)).toEqual(['calm', 'zen', 'hard']);
});

test('without terms there are no niches', () => {
  expect(findNiches([], market, around)).toEqual([]);
});

const percent = fc.integer({ min: 0, max: 100 });
const terms = fc.uniqueArray(
  fc.record({
    keyword: fc.constantFrom(
      'habit',
      'habit tracker',
      'tracker',
      'goals',
      'goal app',
      'sleep',
      'yoga',
      'run',
      'diary',
    ),
    traffic: percent,
    difficulty: percent,
    isNavigational: fc.boolean(),
    top: fc.uniqueArray(fc.nat(15), { maxLength: 10 }).chain((ids) =>
      fc.tuple(
        ...ids.map((id) =>
          fc
            .record({
              genre_key: fc.constantFrom('6007', '6013', '6014', null),
              ratings: fc.option(fc.nat(1_000_000)),
            })
            .map((said) => buildNicheApp({ app_id: String(id), ...said })),
        ),
      ),
    ),
  }),
  { selector: ({ keyword }) => keyword },
);

const suggesting = (all: readonly NicheTerm[]) => ({
  ...around,
  suggested: new Set(all.map(({ keyword }) => keyword)),
});

test('the order of the terms does not matter', () => {
  fc.assert(
    fc.property(terms, (all) => {
      expect(findNiches(all.toReversed(), market, around)).toEqual(findNiches(all, market, around));
    }),
  );
});

test('every term that the store suggests is in one niche, but those by themselves that hardly anybody searches for', () => {
  fc.assert(
    fc.property(terms, (all) => {
      const names = findNiches(all, market, suggesting(all)).flatMap(({ keywords }) =>
        keywords.map(({ name }) => name),
      );
      expect(new Set(names).size).toBe(names.length);
      for (const { keyword, traffic } of all) if (traffic >= 10) expect(names).toContain(keyword);
    }),
  );
});

test('whatever the terms, a concept is one sentence without holes', () => {
  fc.assert(
    fc.property(terms, (all) => {
      for (const { app_concept } of findNiches(all, market, around)) {
        expect(app_concept).toMatch(/^An? .+ for “.+”.*: [^.]+\.$/);
        expect(app_concept).not.toMatch(/undefined|NaN|null|Infinity| {2}/);
      }
    }),
  );
});
