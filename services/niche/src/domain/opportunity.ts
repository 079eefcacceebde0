/** Weights of a cluster's five best keywords, in hundredths: 100 together. (docs/scores.md, niches) */
const weights = [35, 25, 18, 13, 9] as const;

type Scores = {
  /** 0 to 100, whole */
  traffic: number;
  difficulty: number;
};

/**
 * The value of a keyword, 0 to 100: `100 * log10(1 + v) / log10(1 + v(100)) * (1 - (d / 100)^2)`, where `v =
 * exp(.0615 * traffic) - 1` approximates how often it is searched (docs/scores.md, niches). The logarithm
 * cancels the exponential, which leaves `traffic * (1 - (d / 100)^2)`.
 */
export function keywordValue(scores: Scores): number {
  return scaledValue(scores) / 10_000;
}

/**
 * How open a cluster is, 0 to 100 with one decimal: `.85 * sum of the five best keyword values with weights .35 .25
 * .18 .13 .09 + .15 * min(100, 20 * log2(1 + n))` for n keywords (docs/scores.md, niches). The sum is over
 * whole numbers, so it does not depend on the order.
 */
export function opportunityOf(terms: readonly Scores[]): number {
  const best = terms.map(scaledValue).sort((a, b) => b - a);
  const worth = weights.reduce((sum, weight, at) => sum + weight * (best[at] ?? 0), 0) / 1_000_000;
  const breadth = Math.min(100, 20 * Math.log2(1 + terms.length));
  return round1(0.85 * worth + 0.15 * breadth);
}

/** The term with the highest value, of equals the first; null without terms. */
export function bestKeyword<Term extends Scores>(terms: readonly Term[]): Term | null {
  return terms.reduce<Term | null>(
    (best, term) => (best === null || scaledValue(term) > scaledValue(best) ? term : best),
    null,
  );
}

/** The value in ten-thousandths, a whole number. */
function scaledValue({ traffic, difficulty }: Scores): number {
  return traffic * (10_000 - difficulty ** 2);
}

/** Rounds to one decimal, halves upwards; 1e-9 compensates for binary fractions just below an exact half. */
function round1(x: number): number {
  return Math.floor(10 * x + 0.5 + 1e-9) / 10;
}
