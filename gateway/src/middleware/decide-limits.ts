import { inSpan } from '@shelfwise/runtime/tracing/in-span';
import { currentTracing } from '@shelfwise/runtime/tracing/tracing';
import type { RequestHandler } from 'express';
import type { GatewayMetrics } from '../gateway-metrics.ts';
import { mapDatabaseError } from '../http/gateway-errors.ts';
import type { LimitDecider, LimitDecision } from '../limits/limit-decider.ts';
import type { RecentRefusals } from '../limits/recent-refusals.ts';
import type { Caller, Route } from '../routes/route/define-route.ts';
import { type Admission, getRequestContext, requireFromContext } from './request-context.ts';

export type LimitDeps = {
  limits: LimitDecider;
  recentRefusals: Pick<RecentRefusals, 'add' | 'find'>;
  metrics: GatewayMetrics;
  now: () => Date;
  monotonicMs: () => number;
};

/**
 * Makes one decision on all limits of a call. A request with a problem spends no quota, but counts in the rate windows
 * like any other. The next steps answer the refusals.
 */
export function decideLimits(route: Pick<Route, 'cost'>, deps: LimitDeps): RequestHandler {
  return async (_request, response, next) => {
    const context = getRequestContext(response);
    const caller = requireFromContext(response, 'caller');
    context.admission = await decideCall(caller, context.problem ? 0 : route.cost, deps);
    next();
  };
}

async function decideCall({ account, plan }: Caller, quotaCost: 0 | 1, deps: LimitDeps): Promise<Admission> {
  const at = deps.now();
  const startedMs = deps.monotonicMs();
  const { id: accountId, keyVersion } = account;
  const quotaLimit = plan.limits.api_requests_per_month;
  const decision = await mapDatabaseError(
    traceDecision(() => deps.limits.decide({ accountId, keyVersion, quotaCost, quotaLimit, at })),
  );
  if (decision.outcome === 'rate-limited')
    deps.recentRefusals.add({ accountId, keyVersion }, decision, startedMs);
  deps.metrics.decisions.inc({ outcome: decision.outcome });
  return { decision, quotaCost, at };
}

/** The decision is a call of Redis, or a few of the database. */
function traceDecision(decide: () => Promise<LimitDecision>): Promise<LimitDecision> {
  const tracing = currentTracing();
  if (tracing === null) return decide();
  return inSpan(tracing, { name: 'decide limits', kind: 'internal' }, async (span) => {
    const decision = await decide();
    span.set({ 'shelfwise.decision': decision.outcome });
    return decision;
  });
}
