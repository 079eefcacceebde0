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
      metrics.requestSeconds.observe({ method: methodLabel(request), route, status }, ms / 1000);
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

/** Without the query, and without a key that stands in the path by mistake, however it is encoded. */
function loggedPath(request: Request): string {
  const path = request.path.slice(0, maxPathLength);
  const decoded = decodeFully(path);
  return decoded.includes('sw_live_') ? decoded.replace(/sw_live_[^/]*/g, 'sw_live_…') : path;
}

/** Decodes ASCII until nothing is left to decode. Every round makes the text shorter, so there is an end. */
function decodeFully(text: string): string {
  const decoded = text.replace(/%([0-7][0-9a-f])/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decoded === text ? text : decodeFully(decoded);
}
