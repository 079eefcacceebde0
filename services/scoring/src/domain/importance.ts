/** Why a term is measured: a lower number comes first. */
export const importances = {
  /** an account tracks it, or waits for it */
  tracked: 0,
  /** title, subtitle, keywords field, or the basket of a listing's visibility */
  indexed: 1,
  /** Google Play's long description */
  described: 2,
} as const;

export type Importance = (typeof importances)[keyof typeof importances];
