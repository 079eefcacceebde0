/**
 * Which formulas a score was made with; kept with every score. It is raised with any change of a formula, a weight or
 * the way that texts are taken apart; scores of an older version are made again from what was read.
 */
export const scoringVersion = 2;
