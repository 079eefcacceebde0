import type { Logger } from '@shelfwise/runtime/logger';
import type { Request, RequestHandler } from 'express';
import type { GatewayMetrics } from '../gateway-metrics.ts';
import { exchangeOf } from './exchange.ts';

/** What is logged and counted for a caller who left before the answer. */
const clientLeft = 499;
const maxPathLength = 200;

/** One log line and one measure per request, once it is over. The query is never logged: it may hold a key. */
export function recordRequest(deps: {
  logger: Logger;
  metrics: GatewayMetrics;
  monotonicMs: () => number;
}): RequestHandler {
  const { logger, metrics, monotonicMs } = deps;
  return (request, response, next) => {
    const startedMs = monotonicMs();
    response.once('close', () => {
      const ms = monotonicMs() - startedMs;
      const status = response.writableFinished ? response.statusCode : clientLeft;
      const { requestId, route, caller, code } = exchangeOf(response);
      metrics.requestMs.observe({ method: methodLabel(request), route, status }, ms);
      logger.info(
        {
          request_id: requestId,
          method: request.method,
          route,
          path: loggedPath(request),
          status,
          ms: Math.round(ms * 10) / 10,
          ...(caller && { account_id: caller.account.id }),
          ...(code && { code }),
        },
        'request',
      );
    });
    next();
  };
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A client must not be able to make a new series with every request. */
function methodLabel(request: Request): string {
  return knownMethods.has(request.method) ? request.method : 'other';
}

/** Without the query, and without a key that stands in the path by mistake. */
function loggedPath(request: Request): string {
  return request.path.slice(0, maxPathLength).replace(/sw_live_\w*/g, 'sw_live_…');
}
