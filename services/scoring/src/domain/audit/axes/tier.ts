import type { Store } from '@shelfwise/facts/stores/store';
import type { Tier } from '@shelfwise/facts/tiers';
import type { AuditContext } from '../audit-input.ts';

/** The lower bounds of tiers 2 and 3. */
const ratingSteps = [1_000, 100_000] as const;
const installSteps = [100_000, 10_000_000] as const;

const youngMonths = 3;

/**
 * The app's maturity: by its rating count in the storefront and, on Google Play, by its installs, whichever gives the
 * higher tier. An app younger than three months is one tier lower, because a launch may have bought its ratings. An
 * unknown count is treated as low; an unknown age changes nothing. (docs/scores.md, targeting)
 */
export function tierOf(
  store: Store,
  context: Pick<AuditContext, 'rating_count' | 'installs' | 'age_months'>,
): Tier {
  const byRatings = stepOf(context.rating_count, ratingSteps);
  const byInstalls = store === 'GPLAY' ? stepOf(context.installs, installSteps) : 1;
  const tier = byRatings > byInstalls ? byRatings : byInstalls;
  const isYoung = context.age_months !== null && context.age_months < youngMonths;
  return isYoung ? tierBelow[tier] : tier;
}

const tierBelow: Readonly<Record<Tier, Tier>> = { 1: 1, 2: 1, 3: 2 };

function stepOf(count: number | null, [second, third]: readonly [number, number]): Tier {
  if (count === null || count < second) return 1;
  return count < third ? 2 : 3;
}
