import fc from 'fast-check';
import { buildNicheApp, buildNicheTerm, now, tenApps } from '../../test/build-niche-term.ts';
import { findNiches } from './find-niches.ts';
import type { NicheTerm } from './niche-term.ts';

/** Every app of these tests is on the topic's result page. */
const topicContext = {
  topic: 'habit',
  suggested: new Set<string>(),
  topicApps: Array.from({ length: 60 }, (_, at) => String(at)),
};
const context = { store: 'ITUNES', lang: 'en-US', now } as const;

test('a niche is named after its most searched keyword and lists all keywords, the most searched first', () => {
  const found = findNiches(
    [
      buildNicheTerm('habits', { traffic: 50, difficulty: 60 }),
      buildNicheTerm('habit tracker', { traffic: 70, difficulty: 40 }),
    ],
    context,
    topicContext,
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

test('a single term is a niche from traffic 10 on', () => {
  const alone = (traffic: number) =>
    findNiches([buildNicheTerm('habit', { traffic })], context, topicContext);
  expect(alone(10)).toHaveLength(1);
  expect(alone(9)).toEqual([]);
});

test('several rarely searched terms are a niche together', () => {
  const terms = ['habit app', 'habit log'].map((keyword) => buildNicheTerm(keyword, { traffic: 6 }));
  expect(findNiches(terms, context, topicContext)).toHaveLength(1);
});

test('the niche with the most opportunity comes first, ties in the order of their names', () => {
  const alone = (keyword: string, difficulty: number, from: number) =>
    buildNicheTerm(keyword, { difficulty, top: tenApps(from) });
  const found = findNiches(
    [alone('zen', 30, 1), alone('hard', 90, 21), alone('calm', 30, 41)],
    context,
    topicContext,
  );
  expect(found.map(({ name }) => name)).toEqual(['calm', 'zen', 'hard']);
});

describe('terms about the topic', () => {
  const first20 = tenApps(1)
    .concat(tenApps(11))
    .map((app) => app.app_id);
  const namesOf = (overrides: Partial<NicheTerm>, keyword = 'ball games', topic = 'running') => {
    const known = { topic, suggested: new Set(['running games']), topicApps: first20 };
    return findNiches([buildNicheTerm(keyword, overrides)], context, known).map(({ name }) => name);
  };
  /** Results that share this many apps with the topic's first ten, and this many with the next ten. */
  const sharing = (first: number, next: number) => ({
    top: [...tenApps(1).slice(0, first), ...tenApps(11).slice(0, next), ...tenApps(51)].slice(0, 10),
  });

  test('the topic, suggestions and terms that contain the topic are always included', () => {
    const elsewhere = sharing(0, 0);
    expect(namesOf(elsewhere, 'running')).toEqual(['running']);
    expect(namesOf(elsewhere, 'running games')).toEqual(['running games']);
    expect(namesOf(elsewhere, 'running shoes')).toEqual(['running shoes']);
    expect(namesOf(elsewhere, '写真加工アプリ', '写真加工')).toEqual(['写真加工アプリ']);
  });

  test('a phrase is included when it shares a quarter of the results; the topic’s first ten count twice', () => {
    expect(namesOf(sharing(3, 0))).toEqual(['ball games']);
    expect(namesOf(sharing(2, 1))).toEqual(['ball games']);
    expect(namesOf(sharing(2, 0))).toEqual([]);
    expect(namesOf(sharing(0, 5))).toEqual(['ball games']);
    expect(namesOf(sharing(0, 4))).toEqual([]);
  });

  test('a single word is included only when it shares half of the results', () => {
    expect(namesOf(sharing(5, 0), 'tracker')).toEqual(['tracker']);
    expect(namesOf(sharing(4, 1), 'tracker')).toEqual([]);
  });

  test('a term that shares a single app is left out, even if the store finds no other app', () => {
    expect(namesOf({ top: tenApps(1).slice(0, 1) })).toEqual([]);
    expect(namesOf({ top: tenApps(1).slice(0, 2) })).toEqual(['ball games']);
    expect(namesOf({ top: [] })).toEqual([]);
  });

  test('a brand is left out unless the store suggests it or it is the topic', () => {
    const brand = { ...sharing(10, 0), isNavigational: true };
    expect(namesOf(brand)).toEqual([]);
    expect(namesOf(brand, 'running otter')).toEqual([]);
    expect(namesOf(brand, 'running games')).toEqual(['running games']);
    expect(namesOf(brand, 'running')).toEqual(['running']);
  });
});

test('singular and plural are one niche, even when they lead to different apps', () => {
  const found = findNiches(
    [buildNicheTerm('habit', { traffic: 60 }), buildNicheTerm('habits', { traffic: 50, top: tenApps(21) })],
    context,
    topicContext,
  );
  expect(found.map(({ keywords }) => keywords.map(({ name }) => name))).toEqual([['habit', 'habits']]);
});

test('without terms there are no niches', () => {
  expect(findNiches([], context, topicContext)).toEqual([]);
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
            .map((overrides) => buildNicheApp({ app_id: String(id), ...overrides })),
        ),
      ),
    ),
  }),
  { selector: ({ keyword }) => keyword },
);

const suggesting = (all: readonly NicheTerm[]) => ({
  ...topicContext,
  suggested: new Set(all.map(({ keyword }) => keyword)),
});

test('the order of the terms does not matter', () => {
  fc.assert(
    fc.property(terms, (all) => {
      expect(findNiches(all.toReversed(), context, topicContext)).toEqual(
        findNiches(all, context, topicContext),
      );
    }),
  );
});

test('every suggested term is in one niche, apart from single terms with little traffic', () => {
  fc.assert(
    fc.property(terms, (all) => {
      const names = findNiches(all, context, suggesting(all)).flatMap(({ keywords }) =>
        keywords.map(({ name }) => name),
      );
      expect(new Set(names).size).toBe(names.length);
      for (const { keyword, traffic } of all) if (traffic >= 10) expect(names).toContain(keyword);
    }),
  );
});

test('a concept is always one or two complete sentences', () => {
  fc.assert(
    fc.property(terms, (all) => {
      for (const niche of findNiches(all, context, topicContext)) {
        expect(niche.app_concept).toMatch(/^An? .+ for “.+”.*: [^.]+(\. [A-Z][^.]+)?\.$/);
        expect(niche.app_concept).not.toMatch(/undefined|NaN|null|Infinity| {2}/);
      }
    }),
  );
});
