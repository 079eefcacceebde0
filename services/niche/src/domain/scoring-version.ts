/**
 * The version of the formulas in this release, those of scoring included. Raised with scoring's whenever a formula, a
 * weight or a word list changes: an analysis of an older version is not served, but made again.
 */
export const scoringVersion = 3;
