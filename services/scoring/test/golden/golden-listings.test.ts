import { stores } from '@shelfwise/facts/stores/store';
import type { AsoReport } from '../../src/domain/audit/aso-report.ts';
import { listingTerms } from '../../src/domain/audit/words/listing-terms.ts';
import { reportOf } from '../build-audit-input.ts';
import { type GoldenListing, goldenInput, goldenListings, type Range } from './golden-listing.ts';

describe.each(
  goldenListings.map((golden) => [`${golden.storefront.store}, ${golden.name}`, golden] as const),
)('%s', (_, golden) => {
  const report = reportOf(goldenInput(golden));
  const { expected } = golden;

  test('the axes are where a reader would expect them', () => {
    expect(report.tier).toBe(expected.tier);
    expect(outside(report, expected)).toEqual({});
  });

  test('each term has the verdict that a reader would expect', () => {
    const verdicts = (report.targeting?.keywords ?? []).map(({ name, verdict }) => [name, verdict]);
    expect(Object.fromEntries(verdicts)).toMatchObject(expected.verdicts);
  });

  test('the flags are exactly those that a reader would expect', () => {
    const codes = (severity: string) =>
      report.flags.filter((flag) => flag.severity === severity).map(({ code }) => code);
    expect(codes('critical').toSorted()).toEqual(expected.critical.toSorted());
    expect(codes('warning').toSorted()).toEqual(expected.warning.toSorted());
    expect(codes('info').toSorted()).toEqual(expected.info.toSorted());
  });

  test('every hand-set score belongs to a term that the audit considers', () => {
    const lookedAt = new Set(listingTerms(golden).map(({ keyword }) => keyword));
    expect(Object.keys(golden.terms).filter((term) => !lookedAt.has(term))).toEqual([]);
  });
});

test('each store has at least ten listings, each with its reasons', () => {
  for (const store of stores) {
    const ofStore = goldenListings.filter(({ storefront }) => storefront.store === store);
    expect(ofStore.length).toBeGreaterThanOrEqual(10);
  }
  expect(goldenListings.filter(({ because }) => because.length < 100).map(({ name }) => name)).toEqual([]);
});

/** The scores outside their expected range. */
function outside(report: AsoReport, expected: GoldenListing['expected']): Record<string, number> {
  const { global, coverage, targeting, appeal } = expected;
  const scores = new Map([
    ['global', report.global],
    ...report.axes.map(({ key, score }) => [key, score] as const),
  ]);
  const isOutside = ([key, [from, to]]: readonly [string, Range]) => {
    const score = scores.get(key) ?? Number.NaN;
    return !(score >= from && score <= to);
  };
  const ranges = Object.entries({ global, coverage, targeting, appeal });
  return Object.fromEntries(ranges.filter(isOutside).map(([key]) => [key, scores.get(key) ?? Number.NaN]));
}
