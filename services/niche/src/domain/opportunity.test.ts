import fc from 'fast-check';
import { bestKeyword, keywordValue, opportunityOf } from './opportunity.ts';

const percent = fc.integer({ min: 0, max: 100 });
const keyword = fc.record({ traffic: percent, difficulty: percent });
const cluster = fc.array(keyword, { minLength: 1, maxLength: 40 });

/** The formula as the specification writes it. */
function valueAsSpecified({ traffic, difficulty }: { traffic: number; difficulty: number }): number {
  const searches = (score: number) => Math.exp(0.0615 * score) - 1;
  const demand = Math.log10(1 + searches(traffic)) / Math.log10(1 + searches(100));
  return 100 * demand * (1 - (difficulty / 100) ** 2);
}

test('worked examples', () => {
  // 50 * (1 - .36) = 32; .85 * .35 * 32 = 9.52; .15 * 20 * log2(2) = 3; 12.52
  expect(opportunityOf([{ traffic: 50, difficulty: 60 }])).toBe(12.5);
  // Values 80 * .75 = 60, 40 * .91 = 36.4, 20 * 1 = 20; .85 * (21 + 9.1 + 3.6) = 28.645; 20 * log2(4) = 40, .15 of it 6; 34.645
  const three = [
    { traffic: 20, difficulty: 0 },
    { traffic: 80, difficulty: 50 },
    { traffic: 40, difficulty: 30 },
  ];
  expect(opportunityOf(three)).toBe(34.6);
  // The sixth keyword adds only breadth: .85 * 50 = 42.5; 20 * log2(7) = 56.147, .15 of it 8.42
  expect(opportunityOf(Array.from({ length: 6 }, () => ({ traffic: 50, difficulty: 0 })))).toBe(50.9);
});

test('it is 100 for 31 keywords with full traffic and no difficulty, and 0 without keywords', () => {
  expect(opportunityOf(Array.from({ length: 31 }, () => ({ traffic: 100, difficulty: 0 })))).toBe(100);
  expect(opportunityOf([])).toBe(0);
});

test('the value of a keyword matches the specification', () => {
  fc.assert(
    fc.property(keyword, (scores) => {
      expect(keywordValue(scores)).toBeCloseTo(valueAsSpecified(scores), 9);
    }),
  );
});

test('it is 0 to 100 with one decimal', () => {
  fc.assert(
    fc.property(cluster, (keywords) => {
      const score = opportunityOf(keywords);
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(100);
      expect(Math.round(10 * score) / 10).toBe(score);
    }),
  );
});

test('the order of the keywords does not matter', () => {
  fc.assert(
    fc.property(cluster, (keywords) => {
      expect(opportunityOf(keywords.toReversed())).toBe(opportunityOf(keywords));
    }),
  );
});

test('adding a keyword never lowers it', () => {
  fc.assert(
    fc.property(cluster, keyword, (keywords, other) => {
      expect(opportunityOf([...keywords, other])).toBeGreaterThanOrEqual(opportunityOf(keywords));
    }),
  );
});

test('more difficulty never raises it, and more traffic never lowers it', () => {
  fc.assert(
    fc.property(cluster, fc.nat(), percent, percent, (keywords, at, one, two) => {
      const [less, more] = one < two ? [one, two] : [two, one];
      const withScore = (changed: { traffic?: number; difficulty?: number }) =>
        opportunityOf(
          keywords.map((old, place) => (place === at % keywords.length ? { ...old, ...changed } : old)),
        );
      expect(withScore({ difficulty: more })).toBeLessThanOrEqual(withScore({ difficulty: less }));
      expect(withScore({ traffic: more })).toBeGreaterThanOrEqual(withScore({ traffic: less }));
    }),
  );
});

test('the best keyword is the one with the highest value, of equals the first', () => {
  const [hard, easy, same] = [
    { traffic: 60, difficulty: 80 },
    { traffic: 40, difficulty: 20 },
    { traffic: 40, difficulty: 20 },
  ];
  expect(bestKeyword([hard, easy, same])).toBe(easy);
  expect(bestKeyword([])).toBeNull();
});
