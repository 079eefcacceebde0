import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';
import type { Logger } from '@shelfwise/runtime/log/logger';
import type { RequestHandler, Response } from 'express';
import type { Clients } from '../clients.ts';
import type { CallsInFlight } from '../http/calls-in-flight.ts';
import { createUseCounting } from '../limits/count-use.ts';
import type { UsageCounters } from '../limits/usage-counters.ts';
import type { Route, RouteDeps, RouteRequest } from '../routes/route/define-route.ts';
import { getRequestContext, requireFromContext } from './request-context.ts';
import { sendCsv } from './send-csv.ts';
import { addWarnings } from './unknown-parameters.ts';

type CallHandlerDeps = {
  clients: Clients;
  counters: UsageCounters;
  callsInFlight: CallsInFlight;
  logger: Logger;
  now: () => Date;
};

/** Routes with a longer deadline may wait for a store. */
const longestOwnWorkMs = 5000;

/** Runs the route's handler and answers with its result. */
export function callHandler(route: Route, deps: CallHandlerDeps): RequestHandler {
  return async (_request, response) => {
    const { outlivesCaller = false } = route;
    const callRoute = (signal: AbortSignal, outliveCaller: () => void) => {
      const onStarted = outlivesCaller ? outliveCaller : undefined;
      const request = createRouteRequest(response, route, { signal, onStarted }, deps.now());
      // Until it has started, work that outlives its caller has cost nothing.
      const hasCallerAborted = () => response.closed && !outlivesCaller;
      // The route's schemas have validated the request; only its exact type is unknown here.
      return route.handler(createRouteDeps(hasCallerAborted, request, deps), request as never);
    };
    const result = await deps.callsInFlight.run(response, callRoute);
    const { slot, format, warnings = [] } = getRequestContext(response);
    slot?.answer(route.deadlineMs > longestOwnWorkMs);
    const { data } = result;
    const meta = addWarnings(result.meta, warnings);
    if (route.csv && format === 'csv') return sendCsv(response, route, { table: route.csv, data, meta });
    response.json(meta === undefined ? { data } : { data, meta });
  };
}

function createRouteRequest(
  response: Response,
  route: Route,
  { signal, onStarted }: { signal: AbortSignal; onStarted: CallOptions['onStarted'] },
  now: Date,
): RouteRequest {
  const { params, query, body } = requireFromContext(response, 'input');
  const { account, plan } = requireFromContext(response, 'caller');
  const { requestId } = getRequestContext(response);
  // gRPC compares a deadline with the real clock, not with the injected one.
  const deadline = new Date(Date.now() + route.deadlineMs);
  const call: CallOptions = { requestId, callerId: account.id, deadline, signal, onStarted };
  return { account, plan, params, query, body, call, now };
}

function createRouteDeps(
  hasCallerAborted: () => boolean,
  request: RouteRequest,
  deps: CallHandlerDeps,
): RouteDeps {
  const { clients, counters, logger } = deps;
  const { account, plan, call, now } = request;
  const countUse = createUseCounting({
    accountId: account.id,
    limits: plan.limits,
    counters,
    requestId: call.requestId,
    now,
    logger,
    hasCallerAborted,
  });
  return { ...clients, counters, countUse };
}
