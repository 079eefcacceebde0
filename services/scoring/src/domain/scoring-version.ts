/**
 * The version of the formulas; stored with every score. Raise it with any change of a formula, a weight or the way that texts
 * are split. Scores of an older version are recomputed from the stored readings.
 */
export const scoringVersion = 4;
