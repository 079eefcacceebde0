import fc from 'fast-check';
import { buildReport, leastTerms } from './calibration-report.ts';
import { type KnownTerm, termKey } from './parse-known-terms.ts';
import type { ScoreName, TermReading } from './term-reading.ts';

const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;

type Row = { term: string; known: number; country?: string } & Partial<TermReading>;

/** A report of these terms; a row without traffic has no reading. */
function report(rows: Row[], score: ScoreName = 'traffic') {
  const terms: KnownTerm[] = rows.map(({ term, known, country = 'US' }) => ({
    term,
    storefront: { ...storefront, country },
    knownValue: known,
  }));
  const readings = new Map<string, TermReading>();
  const failures = new Map<string, string>();
  for (const [index, { term, known: _known, country: _country, ...changes }] of rows.entries()) {
    const at = terms[index]?.storefront ?? storefront;
    const key = termKey({ term, storefront: at });
    if (changes.traffic === undefined) failures.set(key, 'the store was blocked');
    else
      readings.set(key, {
        storefront: at,
        term,
        traffic: null,
        difficulty: 20,
        kei: 10,
        is_partial: false,
        is_second_look_due: false,
        first_app_ratings: 100,
        read_at: '2026-03-01T10:00:00.000Z',
        source: 'sample',
        scoring_version: 3,
        ...changes,
      });
  }
  return buildReport({ score, input: { file: 'terms.csv', sha256: 'a' }, terms, readings, failures });
}

const rows = (count: number, traffic: (index: number) => number): Row[] =>
  Array.from({ length: count }, (_value, index) => ({
    term: `${'x'.repeat(1 + ((index * 7) % 11))}${index}`,
    known: index * 10,
    traffic: traffic(index),
    first_app_ratings: 5 + ((index * 3) % 17),
  }));

test('a perfect order', () => {
  const {
    correlation,
    baseline,
    advantage,
    mean_absolute_error: error,
    problem,
  } = report(rows(20, (i) => i));
  expect(problem).toBeNull();
  expect(correlation).toEqual({ terms: 20, value: 1, interval: { low: 1, high: 1 } });
  expect(baseline.correlation?.value).toBeLessThan(1);
  expect(advantage?.value).toBeCloseTo(1 - (baseline.correlation?.value ?? 0), 12);
  expect(error).toBe(0);
});

test('a term without a score is in no figure, and does not count as 0', () => {
  const complete = rows(20, (i) => (i * 7) % 20);
  const gaps: Row[] = [
    { term: 'blocked', known: 1000 },
    { term: 'unknown', known: 2000, traffic: null },
    { term: 'unknown too', known: 2000, traffic: null },
    { term: 'partial', known: 3000, traffic: 1, is_partial: true },
  ];
  const withGaps = report([...complete, ...gaps]);
  const without = report(complete);
  for (const key of [
    'correlation',
    'baseline',
    'advantage',
    'bands',
    'mean_absolute_error',
    'used_terms',
  ] as const)
    expect(withGaps[key]).toEqual(without[key]);
  expect(withGaps.without_score).toEqual([
    { reason: 'the traffic is unknown', terms: 2 },
    { reason: 'the store was blocked', terms: 1 },
    { reason: expect.stringMatching(/^the traffic is partial/), terms: 1 },
  ]);
  expect(withGaps.terms.slice(-4).map(({ score, error }) => [score, error])).toEqual(
    gaps.map(() => [null, null]),
  );
});

test('too few terms, or no order, give no figure but the reason', () => {
  const none = { correlation: null, advantage: null, mean_absolute_error: null, bands: [] };
  expect(report(rows(leastTerms - 1, (i) => i))).toMatchObject({
    ...none,
    problem: expect.stringMatching(
      /^Too few terms have a score to say anything: 9; at least 10 are needed\.$/,
    ),
    baseline: { correlation: null },
  });
  expect(report(rows(20, () => 5))).toMatchObject({ ...none, problem: expect.stringMatching(/^All scores/) });
  const equal = rows(20, (i) => i).map((row) => ({ ...row, known: 3 }));
  expect(report(equal)).toMatchObject({ ...none, problem: expect.stringMatching(/^All known values/) });
  expect(report(rows(leastTerms, (i) => i)).correlation?.value).toBe(1);
});

test('the naive guess of traffic prefers few words, then few characters; the others use the first app', () => {
  const few = [
    'ab',
    'abcdef',
    'a b',
    'abc def',
    'a b c',
    'a b c d',
    'a b c d ef',
    'a b c d efg',
    'a b c d e f',
    'a b c d e f g',
  ];
  const ordered = few.map(
    (term, index): Row => ({
      term,
      known: -index,
      traffic: 50 + (index % 3),
      difficulty: 50 + (index % 3),
      kei: 50 + (index % 3),
      first_app_ratings: 1000 - index,
    }),
  );
  expect(report(ordered).baseline.correlation?.value).toBeCloseTo(1, 12);
  expect(report(ordered, 'difficulty').baseline.correlation?.value).toBeCloseTo(1, 12);
  expect(report(ordered, 'kei').baseline.correlation?.value).toBeCloseTo(-1, 12);
});

test('the advantage covers the terms that have both', () => {
  const some = rows(24, (i) => i).map((row, i) => (i < 8 ? { ...row, first_app_ratings: null } : row));
  const { correlation, baseline, advantage } = report(
    some.map((row, i) => ({ ...row, difficulty: i })),
    'difficulty',
  );
  expect([correlation?.terms, baseline.correlation?.terms, advantage?.terms]).toEqual([24, 16, 16]);
});

test('each storefront has its own correlation, from ten terms on', () => {
  const us = rows(12, (i) => i);
  const gb = rows(9, (i) => -i + 50).map((row) => ({ ...row, country: 'GB' }));
  expect(report([...us, ...gb]).by_storefront).toEqual([
    { ...storefront, terms: 12, used_terms: 12, correlation: expect.objectContaining({ value: 1 }) },
    { ...storefront, country: 'GB', terms: 9, used_terms: 9, correlation: null },
  ]);
});

test('the same terms give the same report, in whatever scale the known values are', () => {
  const scores = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: leastTerms, maxLength: 20 });
  fc.assert(
    fc.property(scores, (values) => {
      const plain = rows(values.length, (i) => values[i] ?? 0);
      const scaled = plain.map((row) => ({ ...row, known: 1.1 ** row.known }));
      const [first, second, other] = [report(plain), report(plain), report(scaled)];
      expect(second).toEqual(first);
      expect(other.correlation).toEqual(first.correlation);
      expect(other.mean_absolute_error).toEqual(first.mean_absolute_error);
    }),
    { numRuns: 10 },
  );
});
