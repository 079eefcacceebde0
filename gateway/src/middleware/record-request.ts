import type { Logger } from '@shelfwise/runtime/logger';
import { redactKeys } from '@shelfwise/runtime/redact-keys';
import type { Request, RequestHandler } from 'express';
import type { GatewayMetrics } from '../gateway-metrics.ts';
import { getRequestContext } from './request-context.ts';

/** The status in the log and the metrics when the caller disconnected before the answer: nginx's 499. */
const clientClosedRequest = 499;
const maxPathLength = 200;

/**
 * One log line and one metric observation per request, when it ends. The query is never logged: it may contain a key.
 */
export function recordRequest(deps: {
  logger: Logger;
  metrics: GatewayMetrics;
  monotonicMs: () => number;
}): RequestHandler {
  const { logger, metrics, monotonicMs } = deps;
  return (request, response, next) => {
    const startedMs = monotonicMs();
    response.once('close', () => {
      const durationMs = monotonicMs() - startedMs;
      const status = response.writableFinished ? response.statusCode : clientClosedRequest;
      const { requestId, route, caller, code, span } = getRequestContext(response);
      metrics.requestSeconds.observe({ method: toMethodLabel(request), route, status }, durationMs / 1000);
      logger.info(
        {
          request_id: requestId,
          trace_id: span?.traceId,
          method: request.method,
          route,
          path: toLoggedPath(request),
          status,
          ms: Math.round(durationMs * 10) / 10,
          account_id: caller?.account.id,
          code,
        },
        'request',
      );
    });
    next();
  };
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A client must not be able to create a new metric series with every request. */
export function toMethodLabel(request: Request): string {
  return knownMethods.has(request.method) ? request.method : 'other';
}

/** The path without the query, and without a key that was put into it by mistake. */
function toLoggedPath(request: Request): string {
  return redactKeys(request.path.slice(0, maxPathLength));
}
