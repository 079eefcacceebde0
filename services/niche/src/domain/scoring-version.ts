/**
 * The version of the formulas in this release, those of scoring included. Raised with scoring's whenever a formula, a
 * weight or a word list changes: an analysis of an older version is not served, but made again.
 */
export const scoringVersion = 4;

/**
 * The version of this service's own rules. Raised when one of them changes and scoring's formulas do not: analyses are
 * made again, and no term is scored again.
 */
export const analysisVersion = 2;
