import type { AppError } from '@shelfwise/runtime/errors';
import { describeCause } from '@shelfwise/runtime/log/log-error';
import type { Logger } from '@shelfwise/runtime/log/logger';
import { redactKeys } from '@shelfwise/runtime/log/redact-keys';
import type { Request, RequestHandler } from 'express';
import type { GatewayMetrics } from '../gateway-metrics.ts';
import { createRefusalLog } from './refusal-log.ts';
import { getRequestContext, type RequestContext } from './request-context.ts';

/** The status in the log and the metrics when the caller disconnected before the answer: nginx's 499. */
const clientClosedRequest = 499;
const maxPathLength = 200;
/** A message may name many fields. */
const maxReasonLength = 500;

/**
 * One log line and one metric observation per request, when it ends. The query is never logged: it may contain a key.
 * A flood, or failures without a caller, get one line a minute with their number. Successful answers of `quietRoutes` are logged at debug, because
 * health checks come every second or so.
 */
export function recordRequest(deps: {
  logger: Logger;
  metrics: GatewayMetrics;
  monotonicMs: () => number;
  quietRoutes: readonly string[];
}): RequestHandler {
  const { logger, metrics, monotonicMs, quietRoutes } = deps;
  const refusalLog = createRefusalLog({ logger, monotonicMs });
  return (request, response, next) => {
    const startedMs = monotonicMs();
    response.once('close', () => {
      const durationMs = monotonicMs() - startedMs;
      const status = response.writableFinished ? response.statusCode : clientClosedRequest;
      const context = getRequestContext(response);
      const { requestId, route, caller, failure, span } = context;
      metrics.requestSeconds.observe({ method: toMethodLabel(request), route, status }, durationMs / 1000);
      // A flood is refused, or its connections end before it is, or the gateway has lost its database.
      const isFlood = context.isFlood || (status >= clientClosedRequest && !caller);
      if (isFlood && !refusalLog.admits(failure?.message ?? unanswered(status))) return;
      const isQuiet = status < 400 && quietRoutes.includes(route);
      logger[isQuiet ? 'debug' : levelOf(context)](
        {
          request_id: requestId,
          trace_id: span?.traceId,
          method: request.method,
          route,
          path: toLoggedPath(request),
          status,
          ms: Math.round(durationMs * 10) / 10,
          account_id: caller?.account.id,
          ...(failure && describe(failure)),
        },
        'request',
      );
    });
    next();
  };
}

/** Why a request without a caller failed that has no failure of its own. */
function unanswered(status: number): string {
  return status === clientClosedRequest ? 'disconnected without a key' : 'not ready';
}

function levelOf({ isWarning = false }: RequestContext): 'warn' | 'info' {
  return isWarning ? 'warn' : 'info';
}

/** The cause of an unexpected failure is in its own line, with the stack. */
function describe({ code, message, cause }: AppError) {
  return {
    code,
    reason: message.slice(0, maxReasonLength),
    cause: code === 'INTERNAL_ERROR' ? undefined : describeCause(cause),
  };
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A client must not be able to create a new metric series with every request. */
export function toMethodLabel(request: Request): string {
  return knownMethods.has(request.method) ? request.method : 'other';
}

/** The path without the query, and without a key that was put into it by mistake. */
function toLoggedPath(request: Request): string {
  return redactKeys(`${request.baseUrl}${request.path}`.slice(0, maxPathLength));
}
