import { builtInPlans, findPlan, type Plan, type PlanLimits, type Plans } from '../../src/plans/plans.ts';

/** The built-in plans, and further plans with API access that have only these caps. */
export function plansWith(caps: Record<string, Partial<PlanLimits>>): Plans {
  const { limits } = findPlan(builtInPlans, 'no such plan');
  const added = Object.entries(caps).map(([name, given]): [string, Plan] => [
    name,
    { api_access: true, limits: { ...limits, ...given } },
  ]);
  return new Map([...builtInPlans, ...added]);
}
