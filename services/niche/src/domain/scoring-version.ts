/**
 * The version of the formulas in this release, those of scoring included. Raised with scoring's whenever a formula, a
 * weight or a word list changes: an analysis of an older version is not served, but made again.
 */
export const scoringVersion = 4;

/**
 * The version of the rules by which this service makes niches of scored terms. Raised when one of them changes and scoring's
 * formulas do not: an analysis of an older version is made again, and no term is scored again.
 */
export const analysisVersion = 2;
