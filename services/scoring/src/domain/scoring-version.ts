/**
 * Which formulas a score was computed with; stored with every score. It is raised with any change of a formula, a weight or
 * the way that texts are taken apart; scores of an older version are computed again from what was read.
 */
export const scoringVersion = 2;
