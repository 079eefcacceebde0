import fc from 'fast-check';
import { buildNicheApp, buildNicheTerm, now, tenApps } from '../../test/build-niche-term.ts';
import { findNiches } from './find-niches.ts';
import type { TopicContext } from './is-on-topic.ts';
import { createIsNamed, createNamesTopic } from './names-topic.ts';

/** Every app of these tests is among the first 50 of the topic, and its title names the topic and every keyword. */
const title = 'Habit Log: Calm, Zen, Hard Chores and Streaks, Run, Sleep, Goal, Yoga, Diary, App, Tracker';
const topicContext: TopicContext = {
  topic: 'habit',
  suggested: new Set<string>(),
  results: Array.from({ length: 50 }, (_, at) => ({ app_id: String(at), title })),
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
  // KEI 55.1 and 33.6: .75 * 55.1 = 41.325; 25 * .35 * .336 = 2.94; 44.265
  expect(found).toEqual([
    {
      name: 'habit tracker',
      app_concept: expect.stringMatching(/^A Productivity app for “habit tracker” and “habits” .+\.$/),
      intent_type: 'utility',
      opportunity_score: 44.3,
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
    [alone('zen', 30, 1), alone('hard', 90, 21), alone('calm', 30, 31)],
    context,
    topicContext,
  );
  expect(found.map(({ name }) => name)).toEqual(['calm', 'zen', 'hard']);
});

test('of two niches with like demand, the one whose leaders leave a gap comes first and says so', () => {
  const niche = (name: string, from: number, difficulty: number, ratings: number) =>
    [name, `${name} log`, `${name} app`].map((keyword, at) =>
      buildNicheTerm(keyword, {
        traffic: 60 - 10 * at,
        difficulty,
        top: tenApps(from, { title: name, ratings }),
      }),
    );
  const found = findNiches(
    [...niche('chores', 1, 75, 250_000), ...niche('streaks', 21, 25, 30)],
    context,
    topicContext,
  );
  expect(found.map(({ name }) => name)).toEqual(['streaks', 'chores']);
  const [gap, none] = found.map(({ app_concept: concept }) => concept);
  expect(gap).toContain(' with more ratings than many of today’s leaders: ');
  expect(none).toContain(' finds no clear gap: ');
});

test('terms about something else, and terms that people do not search for, are in no niche; the topic is', () => {
  const found = findNiches(
    [
      buildNicheTerm('habit', { isSearched: false }),
      buildNicheTerm('habit log', { isSearched: false }),
      buildNicheTerm('weather', { top: tenApps(101) }),
    ],
    context,
    topicContext,
  );
  expect(found.map(({ keywords }) => keywords.map(({ name }) => name))).toEqual([['habit']]);
});

test('a niche of terms that are worth nothing for others has no opportunity', () => {
  const brand = buildNicheTerm('habit', { isNavigational: true });
  expect(findNiches([brand], context, topicContext)).toMatchObject([
    { intent_type: 'navigational', opportunity_score: 0 },
  ]);
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
/** Of a few apps, or most of them, so that terms share results. */
const appIds = fc.oneof(
  fc.uniqueArray(fc.nat(15), { maxLength: 10 }),
  fc.uniqueArray(fc.nat(11), { minLength: 6, maxLength: 10 }),
);
const terms = fc.uniqueArray(
  fc
    .record({
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
      isSearched: fc.boolean(),
      isNavigational: fc.boolean(),
      top: appIds.chain((ids) =>
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
    })
    .map(({ keyword, ...overrides }) => buildNicheTerm(keyword, overrides)),
  { selector: ({ keyword }) => keyword },
);

/** Terms in random order, with the pages of a topic that shares apps with them. */
const analyses = fc.record({
  all: terms,
  keys: fc.infiniteStream(fc.nat()),
  results: fc.array(
    fc.record({
      app_id: fc.nat(15).map(String),
      title: fc.constantFrom('Habit Tracker', 'Habit Goals and Sleep', 'Habit Diary, Run', 'Yoga'),
    }),
    { minLength: 8, maxLength: 20 },
  ),
  suggested: fc.subarray(['habit tracker', 'goals', 'yoga']).map((terms) => new Set(terms)),
});

test('the order of the terms does not matter', () => {
  fc.assert(
    fc.property(analyses, ({ all, keys, ...view }) => {
      const shuffled = all
        .map((term) => ({ term, key: keys.next().value }))
        .sort((a, b) => a.key - b.key)
        .map(({ term }) => term);
      const topicView = { topic: 'habit', ...view };
      expect(findNiches(shuffled, context, topicView)).toEqual(findNiches(all, context, topicView));
    }),
  );
});

test('every keyword is the topic, or leads to two apps of it and names it; or most of its apps do, or two, and it is applied to it', () => {
  fc.assert(
    fc.property(analyses, ({ all, results, suggested }) => {
      const titles = results.map(({ title }) => title);
      const namesTopic = createNamesTopic('habit', titles, 'en-US');
      const namingTitles = titles.filter(namesTopic);
      const idsOf = (apps: typeof results) => new Set(apps.map((app) => app.app_id));
      const [onPage, naming] = [idsOf(results), idsOf(results.filter(({ title }) => namesTopic(title)))];
      const termOf = new Map(all.map((term) => [term.keyword, term]));
      for (const { keywords } of findNiches(all, context, { topic: 'habit', suggested, results })) {
        for (const { name } of keywords.filter((one) => one.name !== 'habit')) {
          const { top = [], isNavigational } = termOf.get(name) ?? {};
          const [shared, named] = [onPage, naming].map(
            (ids) => top.filter((app) => ids.has(app.app_id)).length,
          ) as [number, number];
          const isApplied = suggested.has(name) || namingTitles.some(createIsNamed(name, 'en-US'));
          const isAbout = namesTopic(name) || (named >= 2 && (named > top.length / 2 || isApplied));
          const isKnown = !isNavigational || suggested.has(name);
          expect([name, shared >= 2, isAbout, isKnown]).toEqual([name, true, true, true]);
        }
      }
    }),
  );
});

test('every searched term about the topic is in one niche, apart from single ones with traffic below 10; the most searched names it', () => {
  fc.assert(
    fc.property(terms, (all) => {
      const searched = all.filter(
        ({ isSearched, isNavigational, top }) => isSearched && !isNavigational && top.length >= 2,
      );
      const niches = findNiches(searched, context, topicContext);
      for (const { name, keywords } of niches) {
        const [most, ...others] = keywords.map((one) => one.traffic_score);
        expect([name, most]).toEqual([keywords[0]?.name, Math.max(most ?? -1, ...others)]);
        if (others.length === 0) expect(most).toBeGreaterThanOrEqual(10);
      }
      const names = niches.flatMap(({ keywords }) => keywords.map(({ name }) => name));
      expect(new Set(names).size).toBe(names.length);
      for (const { keyword, traffic } of searched) if (traffic >= 10) expect(names).toContain(keyword);
    }),
  );
});

test('a concept is always one complete sentence', () => {
  fc.assert(
    fc.property(terms, (all) => {
      for (const niche of findNiches(all, context, topicContext)) {
        expect(niche.app_concept).toMatch(/^An? .+ for “[^.]+\.$/);
        expect(niche.app_concept).not.toMatch(/undefined|NaN|null|Infinity| {2}/);
      }
    }),
  );
});
