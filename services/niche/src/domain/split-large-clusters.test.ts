import fc from 'fast-check';
import { buildNicheApp, buildNicheTerm } from '../../test/build-niche-term.ts';
import { type ComparedTerm, clusterTerms, prepareTerms } from './cluster-terms.ts';
import { compareTerms, type NicheTerm } from './niche-term.ts';
import { splitLargeClusters } from './split-large-clusters.ts';

const split = (terms: readonly NicheTerm[]) =>
  splitLargeClusters(clusterTerms(prepareTerms(terms, 'en-US'))).map((members) => members.length);

/** Terms without a common word: all have the same `common` apps, and those of a group have the same ten. */
const groups = (common: number, sizes: readonly number[]) =>
  sizes.flatMap((size, group) =>
    Array.from({ length: size }, (_, at) =>
      buildNicheTerm(`word${group}x${at}`, {
        traffic: 90 - 10 * group - at,
        top: Array.from({ length: 10 }, (_, position) =>
          buildNicheApp({ app_id: position < common ? `common ${position}` : `${group}/${position}` }),
        ),
      }),
    ),
  );

test('a cluster of all terms splits at .45 when its groups share half of their apps and no words', () => {
  // .7 * 5 / 10 = .35: one cluster at .3, three at .45
  expect(split(groups(5, [4, 4, 4]))).toEqual([4, 4, 4]);
});

test('it splits at .6 when its groups share eight of ten apps', () => {
  // .7 * 8 / 10 = .56: one cluster at .45, three at .6
  expect(split(groups(8, [4, 4, 4]))).toEqual([4, 4, 4]);
});

test('what holds together even at .6 stays one cluster', () => {
  // .7 * 9 / 10 = .63
  expect(split(groups(9, [4, 4, 4]))).toEqual([12]);
});

test('only the part that still has more than half of all terms is clustered a third time', () => {
  // Between the first two groups .7 * 9 / 10; the third shares 5 apps with them.
  const [first, second] = [groups(9, [5, 3]), groups(5, [0, 0, 4])];
  expect(split([...first, ...second])).toEqual([8, 4]);
});

test('half of all terms is not more than half', () => {
  const other = groups(0, [0, 0, 6]);
  expect(split([...groups(5, [3, 3]), ...other])).toEqual([6, 6]);
  expect(split([...groups(5, [3, 4]), ...other])).toEqual([3, 4, 6]);
});

test('with fewer than 12 terms nothing is split', () => {
  expect(split(groups(5, [4, 4, 3]))).toEqual([11]);
  expect(split([])).toEqual([]);
});

const comparedTerm = fc.record({
  keyword: fc.nat(999).map(String),
  traffic: fc.integer({ min: 0, max: 5 }),
  apps: fc.uniqueArray(fc.nat(13), { minLength: 5, maxLength: 10 }),
  words: fc.subarray(['habit', 'tracker', 'daily']),
});
const someTerms = fc
  .uniqueArray(comparedTerm, { selector: ({ keyword }) => keyword, minLength: 1, maxLength: 24 })
  .map((terms) => terms.map(toCompared));

function toCompared({
  keyword,
  traffic,
  apps,
  words,
}: {
  keyword: string;
  traffic: number;
  apps: number[];
  words: string[];
}): ComparedTerm {
  return {
    term: buildNicheTerm(keyword, { traffic }),
    apps: new Set(apps.map(String)),
    words: new Set([keyword, ...words]),
  };
}

const splitCompared = (terms: readonly ComparedTerm[]) =>
  splitLargeClusters(clusterTerms([...terms].sort((a, b) => compareTerms(a.term, b.term))));

test('the order of the terms does not matter', () => {
  fc.assert(
    fc.property(someTerms, (terms) => {
      expect(splitCompared(terms.toReversed())).toEqual(splitCompared(terms));
    }),
    { numRuns: 10_000 },
  );
});

test('every term stays in one cluster, and what has more than half of 12 or more terms is whole at .6', () => {
  fc.assert(
    fc.property(someTerms, (terms) => {
      const clusters = splitCompared(terms);
      expect(clusters.flat()).toHaveLength(terms.length);
      const large = clusters.filter((members) => terms.length >= 12 && members.length > terms.length / 2);
      for (const members of large) expect(clusterTerms(members, 0.6)).toHaveLength(1);
    }),
    { numRuns: 10_000 },
  );
});
