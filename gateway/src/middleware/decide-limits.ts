import type { RequestHandler } from 'express';
import type { Route } from '../define-route.ts';
import type { GatewayMetrics } from '../gateway-metrics.ts';
import type { LimitDecider } from '../limits/limit-decider.ts';
import { exchangeOf, required } from './exchange.ts';
import { orUnavailable } from './or-unavailable.ts';

/**
 * Asks once for everything that limits a call. A request with a problem spends no quota, but counts in the rate
 * windows like any other. What comes of it is answered by the steps that follow.
 */
export function decideLimits(
  route: Pick<Route, 'cost'>,
  deps: { limits: LimitDecider; metrics: GatewayMetrics; now: () => Date },
): RequestHandler {
  return async (_request, response, next) => {
    const exchange = exchangeOf(response);
    const { account, plan } = required(response, 'caller');
    const quotaCost = exchange.problem ? 0 : route.cost;
    const at = deps.now();
    const decision = await orUnavailable(
      deps.limits.decide({
        accountId: account.id,
        keyVersion: account.keyVersion,
        quotaCost,
        quotaLimit: plan.limits.api_requests_per_month,
        at,
      }),
    );
    deps.metrics.decisions.inc({ outcome: decision.outcome });
    exchange.admission = { decision, quotaCost, at };
    next();
  };
}
