import { builtInPlans, findPlan, type Plan, type PlanLimits, type Plans } from '../../src/plans/plans.ts';

/** The built-in plans and others with API access, each with these caps and no other. */
export function plansWith(caps: Record<string, Partial<PlanLimits>>): Plans {
  const { limits } = findPlan(builtInPlans, 'no such plan');
  const added = Object.entries(caps).map(([name, given]): [string, Plan] => [
    name,
    { api_access: true, limits: { ...limits, ...given } },
  ]);
  return new Map([...builtInPlans, ...added]);
}
