import { inSpan } from '@shelfwise/runtime/tracing/in-span';
import { currentTracing } from '@shelfwise/runtime/tracing/tracing';
import type { RequestHandler } from 'express';
import type { GatewayMetrics } from '../gateway-metrics.ts';
import { mapDatabaseError } from '../http/gateway-errors.ts';
import type { LimitDecider, LimitDecision } from '../limits/limit-decider.ts';
import type { RecentRefusals } from '../limits/recent-refusals.ts';
import type { Route } from '../routes/route/define-route.ts';
import { getRequestContext, requireFromContext } from './request-context.ts';

/**
 * Makes one decision on all limits of a call. A request with a problem spends no quota, but counts in the rate windows
 * like any other. The next steps answer the refusals.
 */
export function decideLimits(
  route: Pick<Route, 'cost'>,
  deps: {
    limits: LimitDecider;
    recentRefusals: Pick<RecentRefusals, 'add'>;
    metrics: GatewayMetrics;
    now: () => Date;
    monotonicMs: () => number;
  },
): RequestHandler {
  return async (_request, response, next) => {
    const context = getRequestContext(response);
    const { account, plan } = requireFromContext(response, 'caller');
    const quotaCost = context.problem ? 0 : route.cost;
    const at = deps.now();
    const startedMs = deps.monotonicMs();
    const { id: accountId, keyVersion } = account;
    const decision = await mapDatabaseError(
      traceDecision(() =>
        deps.limits.decide({
          accountId,
          keyVersion,
          quotaCost,
          quotaLimit: plan.limits.api_requests_per_month,
          at,
        }),
      ),
    );
    if (decision.outcome === 'rate-limited')
      deps.recentRefusals.add({ accountId, keyVersion }, decision, startedMs);
    deps.metrics.decisions.inc({ outcome: decision.outcome });
    context.admission = { decision, quotaCost, at };
    next();
  };
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
