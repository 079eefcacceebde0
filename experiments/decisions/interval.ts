/** The standard normal quantile of 97.5 %. */
const z = 1.959964;

/**
 * The 95 % interval of a share by Wilson: the shares from which `count` of `total` would not be surprising, 0 to 1. NaN
 * without any.
 */
export function wilsonInterval(count: number, total: number): [low: number, high: number] {
  const share = count / total;
  const spread = z ** 2 / total;
  const middle = (share + spread / 2) / (1 + spread);
  const half = (z / (1 + spread)) * Math.sqrt((share * (1 - share)) / total + spread / total / 4);
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
