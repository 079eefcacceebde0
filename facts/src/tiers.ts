/** How far an app has come; decides which keywords it can win. */
export type Tier = 1 | 2 | 3;

export const tierLabels: Readonly<Record<Tier, string>> = { 1: 'Emerging', 2: 'Growing', 3: 'Established' };

/**
 * A tier as people call it.
 *
 * @throws RangeError for anything but 1, 2 and 3
 */
export function tierLabel(tier: number): string {
  if (!isTier(tier)) throw new RangeError(`there is no tier ${tier}`);
  return tierLabels[tier];
}

function isTier(tier: number): tier is Tier {
  return Object.hasOwn(tierLabels, tier);
}
