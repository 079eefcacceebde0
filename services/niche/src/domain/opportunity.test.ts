import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { keiAsSpecified } from '../../test/build-niche-term.ts';
import { opportunityOf } from './opportunity.ts';

const numRuns = 10_000;
const value = fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10);
const cluster = fc.array(value, { minLength: 1, maxLength: 25 });
const percent = fc.integer({ min: 0, max: 100 });

const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');
const formula =
  'opportunity = round1(0.75 * o1 + 25 * (1 - (1 - 0.35 * o2 / 100) * ... * (1 - 0.35 * o10 / 100)))';

/** The formula as it is written, without its shape in the code. */
function asWritten(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b).reverse();
  let product = 1;
  for (let i = 2; i <= 10; i++) product *= 1 - (0.35 * (sorted[i - 1] ?? 0)) / 100;
  return 0.75 * (sorted[0] ?? 0) + 25 * (1 - product);
}

test('the worked example of the README is what the code computes', () => {
  const [, listed = '', calculation, result] =
    readme.match(/Keywords with o = ([\d, ]+) have an opportunity of\s+`([^`]+)` = ([\d.]+)\./) ?? [];
  const [best, ...others] = listed.split(', ').map(Number);
  const factors = others.map((other) => `(1 - 0.35 * ${other} / 100)`).join(' * ');
  expect(calculation).toBe(`0.75 * ${best} + 25 * (1 - ${factors})`);
  expect(opportunityOf([Number(best), ...others])).toBe(Number(result));
});

test('the README and the page of all formulas state the same formula', () => {
  const page = readFileSync(join(__dirname, '../../../../docs/scores.md'), 'utf8');
  expect(readme).toContain(formula);
  expect(page).toContain(formula);
});

test('it is the written formula, rounded to one decimal', () => {
  fc.assert(
    fc.property(cluster, (values) => {
      expect(Math.abs(opportunityOf(values) - asWritten(values))).toBeLessThanOrEqual(0.05 + 1e-6);
    }),
    { numRuns },
  );
});

test('it is 0 to 100 with one decimal', () => {
  fc.assert(
    fc.property(cluster, (values) => {
      const score = opportunityOf(values);
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(100);
      expect(Math.round(10 * score) / 10).toBe(score);
    }),
    { numRuns },
  );
});

test('one keyword gives three quarters of its value, and no keyword gives nothing', () => {
  expect(opportunityOf([60])).toBe(45);
  expect(opportunityOf([])).toBe(0);
  expect(opportunityOf([0, 0])).toBe(0);
});

test('the eleventh keyword adds nothing', () => {
  const ten = Array.from({ length: 10 }, () => 50);
  expect(opportunityOf([...ten, 50])).toBe(opportunityOf(ten));
});

test('the order of the keywords does not matter', () => {
  fc.assert(
    fc.property(cluster, (values) => {
      expect(opportunityOf(values.toReversed())).toBe(opportunityOf(values));
    }),
    { numRuns },
  );
});

test('another keyword never lowers it', () => {
  fc.assert(
    fc.property(cluster, value, (values, other) => {
      expect(opportunityOf([...values, other])).toBeGreaterThanOrEqual(opportunityOf(values));
    }),
    { numRuns },
  );
});

test('more difficulty of a keyword never raises it', () => {
  const keywords = fc.array(fc.record({ traffic: percent, difficulty: percent }), {
    minLength: 1,
    maxLength: 15,
  });
  fc.assert(
    fc.property(keywords, fc.nat(), percent, (given, at, difficulty) => {
      const harder = given.map((keyword, index) =>
        index === at % given.length
          ? { ...keyword, difficulty: Math.max(difficulty, keyword.difficulty) }
          : keyword,
      );
      const scoreOf = (all: typeof given) =>
        opportunityOf(all.map((keyword) => keiAsSpecified(keyword.traffic, keyword.difficulty)));
      expect(scoreOf(harder)).toBeLessThanOrEqual(scoreOf(given));
    }),
    { numRuns },
  );
});

test('of two niches with the same demand, the one whose keywords are easier has the higher score', () => {
  const traffics = [70, 45, 30];
  const scoreAt = (difficulty: number) =>
    opportunityOf(traffics.map((traffic) => keiAsSpecified(traffic, difficulty)));
  expect(scoreAt(20)).toBeGreaterThan(2 * scoreAt(70));
});
