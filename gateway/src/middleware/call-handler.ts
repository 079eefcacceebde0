import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';
import type { Logger } from '@shelfwise/runtime/log/logger';
import type { RequestHandler, Response } from 'express';
import type { Clients } from '../clients.ts';
import type { CallsInFlight } from '../http/calls-in-flight.ts';
import { createUseCounting } from '../limits/count-use.ts';
import type { UsageCounters } from '../limits/usage-counters.ts';
import type { Slot } from '../overload/service-slots.ts';
import type { Route, RouteDeps, RouteRequest } from '../routes/route/define-route.ts';
import { getRequestContext, type Input, requireFromContext } from './request-context.ts';
import { sendCsv } from './send-csv.ts';
import { addWarnings } from './unknown-parameters.ts';

export type CallHandlerDeps = {
  clients: Clients;
  counters: UsageCounters;
  callsInFlight: CallsInFlight;
  shareLinks: RouteDeps['shareLinks'];
  wakeJobs: RouteDeps['wakeJobs'];
  logger: Logger;
  now: () => Date;
};

/** Routes with a longer deadline may wait for a store. */
const longestOwnWorkMs = 5000;

/** Runs the route's handler and answers with its result. */
export function callHandler(route: Route, deps: CallHandlerDeps): RequestHandler {
  return async (_request, response) => {
    const input = requireFromContext(response, 'input');
    const result = await runRoute(route, { input, response }, deps);
    const { slot, format, warnings = [] } = getRequestContext(response);
    noteAnswer(route, slot);
    const { data } = result;
    const meta = addWarnings(result.meta, warnings);
    if (route.csv && format === 'csv') return sendCsv(response, route, { table: route.csv, data, meta });
    response.status(route.status ?? 200).json(meta === undefined ? { data } : { data, meta });
  };
}

/** The service has answered: how long that took decides on the limit of its calls. */
export function noteAnswer(route: Route, slot: Slot | undefined): void {
  slot?.answer(route.deadlineMs > longestOwnWorkMs);
}

/** A call of a route, and the response whose caller waits for it. */
type RouteCall = { input: Input; response: Response };

/** The result of the route's handler. The work is aborted when the caller disconnects, and at a shutdown. */
export function runRoute(route: Route, call: RouteCall, deps: CallHandlerDeps): ReturnType<Route['handler']> {
  const { response } = call;
  const { outlivesCaller = false } = route;
  return deps.callsInFlight.run(response, (signal, outliveCaller) => {
    const onStarted = outlivesCaller ? outliveCaller : undefined;
    const request = createRouteRequest(call, route, { signal, onStarted }, deps.now());
    // Until it has started, work that outlives its caller has cost nothing.
    const hasCallerAborted = () => response.closed && !outlivesCaller;
    // The route's schemas have validated the request; only its exact type is unknown here.
    return route.handler(createRouteDeps(hasCallerAborted, request, deps), request as never);
  });
}

function createRouteRequest(
  { input, response }: RouteCall,
  route: Route,
  { signal, onStarted }: { signal: AbortSignal; onStarted: CallOptions['onStarted'] },
  now: Date,
): RouteRequest {
  const { params, query, body } = input;
  const { account, plan } = requireFromContext(response, 'caller');
  const { requestId, format } = getRequestContext(response);
  // gRPC compares a deadline with the real clock, not with the injected one.
  const deadline = new Date(Date.now() + route.deadlineMs);
  const call: CallOptions = { requestId, callerId: account.id, deadline, signal, onStarted };
  return { account, plan, params, query, body, isCsv: format === 'csv', call, now };
}

function createRouteDeps(
  hasCallerAborted: () => boolean,
  request: RouteRequest,
  deps: CallHandlerDeps,
): RouteDeps {
  const { clients, counters, shareLinks, wakeJobs, logger } = deps;
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
  return { ...clients, counters, countUse, shareLinks, wakeJobs };
}
