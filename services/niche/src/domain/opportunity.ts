/** The share of the score that the best keyword gives; the rest is for what else the niche holds. */
const bestShare = 0.75;
/** What each further keyword takes of the rest that is still free, at a value of 100. */
const furtherShare = 0.35;
/** Keywords beyond the tenth add nothing. */
const maxKeywords = 10;

/**
 * The opportunity of a niche, 0 to 100 with one decimal: `.75 * o_1 + 25 * (1 - product over i = 2..10 of (1 - .35 *
 * o_i / 100))` for the values `o_1 >= o_2 >= …` of its keywords (docs/scores.md, niches). One good keyword is worth more
 * than many poor ones, another keyword never lowers it, and the order does not matter.
 * @param values as from `keywordValue`, 0 to 100 each
 */
export function opportunityOf(values: readonly number[]): number {
  const [best = 0, ...others] = [...values].sort((a, b) => b - a).slice(0, maxKeywords);
  const free = others.reduce((product, value) => product * (1 - (furtherShare * value) / 100), 1);
  return round1(bestShare * best + 100 * (1 - bestShare) * (1 - free));
}

/** Rounds to one decimal, halves upwards; 1e-9 compensates for binary fractions just below an exact half. */
function round1(x: number): number {
  return Math.floor(10 * x + 0.5 + 1e-9) / 10;
}
