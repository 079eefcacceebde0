import type { RequestHandler } from 'express';
import type { LimitDeps } from './decide-limits.ts';
import { enforceRate } from './enforce-rate.ts';
import { getRequestContext, requireFromContext } from './request-context.ts';

/**
 * 429 for a call of an account whose window has just refused another call and is still full, before its body is read.
 * Other calls are decided once their body has arrived.
 */
export function repeatRefusal(deps: Pick<LimitDeps, 'recentRefusals' | 'metrics' | 'now'>): RequestHandler {
  return (request, response, next) => {
    const { account } = requireFromContext(response, 'caller');
    const { id: accountId, keyVersion } = account;
    const decision = deps.recentRefusals.find({ accountId, keyVersion });
    if (decision === null) return next();
    deps.metrics.decisions.inc({ outcome: decision.outcome });
    getRequestContext(response).admission = { decision, quotaCost: 0, at: deps.now() };
    return enforceRate(request, response, next);
  };
}
