/** How established an app is. The tier decides which keywords the app can win. */
export type Tier = 1 | 2 | 3;

export const tierLabels: Readonly<Record<Tier, string>> = { 1: 'Emerging', 2: 'Growing', 3: 'Established' };

/**
 * The name of a tier for people.
 *
 * @throws RangeError for any number except 1, 2 and 3
 */
export function tierLabel(tier: number): string {
  if (!isTier(tier)) throw new RangeError(`there is no tier ${tier}`);
  return tierLabels[tier];
}

function isTier(tier: number): tier is Tier {
  return Object.hasOwn(tierLabels, tier);
}
