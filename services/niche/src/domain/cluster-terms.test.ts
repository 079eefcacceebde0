import fc from 'fast-check';
import { atLeastRuns } from '../../../../testing/at-least-runs.ts';
import { buildNicheApp, buildNicheTerm, tenApps } from '../../test/build-niche-term.ts';
import { clusterTerms, prepareTerms } from './cluster-terms.ts';
import type { NicheTerm } from './niche-term.ts';
import { jaccard, wordSetOf } from './word-set.ts';

const cluster = (terms: readonly NicheTerm[], { lang = 'en-US', threshold = 0.3 } = {}) =>
  clusterTerms(prepareTerms(terms, lang), threshold).map((members) =>
    members.map(({ term }) => term.keyword),
  );

const appsFrom = (from: number) => ({ top: tenApps(from) });

describe('worked examples', () => {
  test('terms with the same results and a shared word are one cluster, named after the most searched term', () => {
    const terms = [
      buildNicheTerm('habit tracker free', { traffic: 30 }),
      buildNicheTerm('habit tracker', { traffic: 60 }),
      buildNicheTerm('sleep sounds', { traffic: 50, ...appsFrom(100) }),
    ];
    expect(cluster(terms)).toEqual([['habit tracker', 'habit tracker free'], ['sleep sounds']]);
  });

  test('terms with different words are one cluster when they share five apps: .7 * 5 / 10 = .35', () => {
    const terms = [buildNicheTerm('habits', { traffic: 60 }), buildNicheTerm('streaks', appsFrom(6))];
    expect(cluster(terms)).toEqual([['habits', 'streaks']]);
  });

  test('with four shared apps the words decide: .28 + .3 * 1 / 3 is enough, .28 alone is not', () => {
    const four = appsFrom(7);
    expect(
      cluster([buildNicheTerm('habit log', { traffic: 60 }), buildNicheTerm('habit app', four)]),
    ).toHaveLength(1);
    expect(
      cluster([buildNicheTerm('habit log', { traffic: 60 }), buildNicheTerm('streaks', four)]),
    ).toHaveLength(2);
  });

  test('exactly .3 is enough: three shared apps and 3 of 10 words', () => {
    const shared = 'one two three';
    const seed = buildNicheTerm(`${shared} a b c`, { traffic: 60 });
    const other = buildNicheTerm(`${shared} d e f g`, appsFrom(8));
    // .7 * 3 / 10 + .3 * 3 / 10 = .3
    expect(cluster([seed, other])).toHaveLength(1);
    // 3 of 11 words: .2918
    expect(cluster([seed, { ...other, keyword: `${other.keyword} h` }])).toHaveLength(2);
  });

  test('with a threshold of .45 half of the apps are not enough without words: .35; with equal words .65 is', () => {
    const [log, half] = [buildNicheTerm('habit log', { traffic: 60 }), appsFrom(6)];
    const strict = { threshold: 0.45 };
    expect(cluster([log, buildNicheTerm('streaks', half)], strict)).toHaveLength(2);
    expect(cluster([log, buildNicheTerm('log habit', half)], strict)).toHaveLength(1);
    // Four shared apps are less than .45 of ten.
    expect(cluster([log, buildNicheTerm('log habit', appsFrom(7))], strict)).toHaveLength(2);
  });

  test('terms with the same words and other apps are separate: two shared apps are too few', () => {
    const terms = [
      buildNicheTerm('habit tracker', { traffic: 60 }),
      buildNicheTerm('tracker habit', appsFrom(9)),
    ];
    expect(cluster(terms)).toHaveLength(2);
  });

  test('a term joins the cluster that it is most similar to', () => {
    const terms = [
      buildNicheTerm('running', { traffic: 90, ...appsFrom(1) }),
      buildNicheTerm('yoga', { traffic: 80, ...appsFrom(21) }),
      buildNicheTerm('yoga stretching', {
        traffic: 10,
        top: [...tenApps(1).slice(0, 5), ...tenApps(21).slice(0, 5)],
      }),
    ];
    expect(cluster(terms)).toEqual([['running'], ['yoga', 'yoga stretching']]);
  });

  test('the average over a cluster counts, not its nearest member', () => {
    const far = (keyword: string, traffic: number, from: number) =>
      buildNicheTerm(keyword, { traffic, ...appsFrom(from) });
    // c shares 5 apps with b, none with a: the average is 2.5 of 10.
    expect(cluster([far('a1', 60, 1), far('b1', 50, 6), far('c1', 40, 11)])).toEqual([['a1', 'b1'], ['c1']]);
  });

  test('a term that is equally similar to two clusters joins the earlier one', () => {
    const terms = [
      buildNicheTerm('zebra', { traffic: 90, ...appsFrom(1) }),
      buildNicheTerm('apple', { traffic: 80, ...appsFrom(21) }),
      buildNicheTerm('middle', { traffic: 10, top: [...tenApps(1).slice(0, 5), ...tenApps(21).slice(0, 5)] }),
    ];
    expect(cluster(terms)).toEqual([['zebra', 'middle'], ['apple']]);
  });

  test('equally searched terms are in the order of their normal form', () => {
    expect(cluster([buildNicheTerm('tracker b'), buildNicheTerm('tracker a')])).toEqual([
      ['tracker a', 'tracker b'],
    ]);
  });

  test('terms without results share nothing; an app that is listed twice counts once', () => {
    const [app] = tenApps(1);
    const twice = { top: Array.from({ length: 10 }, () => buildNicheApp(app)) };
    expect(
      cluster([buildNicheTerm('habit', { top: [] }), buildNicheTerm('habits', { top: [] })]),
    ).toHaveLength(2);
    expect(cluster([buildNicheTerm('habit one', twice), buildNicheTerm('habit two', twice)])).toHaveLength(2);
  });
});

const words = ['habit', 'tracker', 'daily', 'free', 'goal', 'sleep'];
const apps = fc.uniqueArray(fc.integer({ min: 1, max: 25 }), { maxLength: 12 });
const term = fc
  .record({
    words: fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }),
    traffic: fc.integer({ min: 0, max: 100 }),
    apps,
  })
  .map(({ words, traffic, apps }) =>
    buildNicheTerm(words.join(' '), {
      traffic,
      top: apps.map((id) => buildNicheApp({ app_id: String(id) })),
    }),
  );
const someTerms = fc.uniqueArray(term, { selector: ({ keyword }) => keyword, maxLength: 30 });

test('the order of the terms does not matter', () => {
  fc.assert(
    fc.property(someTerms, fc.infiniteStream(fc.nat()), (terms, keys) => {
      const shuffled = terms
        .map((term) => ({ term, key: keys.next().value }))
        .sort((a, b) => a.key - b.key)
        .map(({ term }) => term);
      expect(cluster(shuffled)).toEqual(cluster(terms));
    }),
  );
});

test('every term is in one cluster, the same as without an index, at each threshold', () => {
  fc.assert(
    fc.property(someTerms, fc.constantFrom(0.3, 0.45, 0.6), (terms, threshold) => {
      expect(cluster(terms, { threshold })).toEqual(clusterPlainly(terms, threshold));
    }),
    atLeastRuns(500),
  );
});

/** The rule without an index: compares every term with every member of every cluster. */
function clusterPlainly(terms: readonly NicheTerm[], threshold: number): string[][] {
  const clusters: NicheTerm[][] = [];
  const sorted = [...terms].sort((a, b) => b.traffic - a.traffic || (a.keyword < b.keyword ? -1 : 1));
  for (const term of sorted) {
    const near = clusters
      .map((members) => ({ members, ...likeness(term, members) }))
      .filter(({ overlap, similarity }) => overlap > threshold - 1e-9 && similarity > threshold - 1e-9)
      // Stable: ties go to the earlier cluster.
      .sort((a, b) => Math.round(1e9 * b.similarity) - Math.round(1e9 * a.similarity));
    if (near[0] === undefined) clusters.push([term]);
    else near[0].members.push(term);
  }
  return clusters.map((members) => members.map(({ keyword }) => keyword));
}

function likeness(term: NicheTerm, members: readonly NicheTerm[]) {
  const idsOf = ({ top }: NicheTerm) => top.slice(0, 10).map((app) => app.app_id);
  const ids = new Set(idsOf(term));
  const overlaps = members.map((member) => idsOf(member).filter((id) => ids.has(id)).length / 10);
  const alike = members.map(({ keyword }) =>
    jaccard(wordSetOf(term.keyword, 'en'), wordSetOf(keyword, 'en')),
  );
  const overlap = mean(overlaps);
  return { overlap, similarity: 0.7 * overlap + 0.3 * mean(alike) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
