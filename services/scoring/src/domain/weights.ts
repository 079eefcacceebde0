/** A value and its weight; a null value is missing. */
export type Weighted = { weight: number; value: number | null };

/** The mean of the known values: missing ones are dropped and the other weights renormalized. Null: none is known. */
export function weightedMean(parts: readonly Weighted[]): number | null {
  let total = 0;
  let weights = 0;
  for (const { weight, value } of parts) {
    if (value === null) continue;
    total += weight * value;
    weights += weight;
  }
  return weights > 0 ? total / weights : null;
}

/** The weights in use: renormalized to a sum of 1 over the known values, 0 for the others. */
export function usedWeights<Name extends string>(
  weights: Readonly<Record<Name, number>>,
  values: Readonly<Record<NoInfer<Name>, number | null>>,
): Record<Name, number> {
  const names = Object.keys(weights) as Name[];
  const present = names.filter((name) => values[name] !== null);
  const total = present.reduce((sum, name) => sum + weights[name], 0);
  const used = names.map((name) => [name, present.includes(name) ? weights[name] / total : 0]);
  return Object.fromEntries(used);
}

/** `weightedMean` of named values. */
export function meanOf<Name extends string>(
  weights: Readonly<Record<Name, number>>,
  values: Readonly<Record<NoInfer<Name>, number | null>>,
): number | null {
  const names = Object.keys(weights) as Name[];
  return weightedMean(names.map((name) => ({ weight: weights[name], value: values[name] })));
}
