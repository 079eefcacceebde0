import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';
import type { Logger } from '@shelfwise/runtime/logger';
import type { RequestHandler, Response } from 'express';
import type { Clients } from '../clients.ts';
import type { CallsInFlight } from '../http/calls-in-flight.ts';
import { createUseCounting } from '../limits/count-use.ts';
import type { UsageCounters } from '../limits/usage-counters.ts';
import type { Route } from '../routes/common/define-route.ts';
import { getRequestContext, requireFromContext } from './request-context.ts';

type HandlerDeps = {
  clients: Clients;
  counters: UsageCounters;
  callsInFlight: CallsInFlight;
  logger: Logger;
  now: () => Date;
};

/** Runs the route's handler and answers with its result. */
export function callHandler(route: Route, deps: HandlerDeps): RequestHandler {
  return async (_request, response) => {
    const { data, meta } = await deps.callsInFlight.run(response, (signal) =>
      route.handler(createRouteCall(response, route, signal, deps)),
    );
    response.json(meta === undefined ? { data } : { data, meta });
  };
}

function createRouteCall(
  response: Response,
  route: Route,
  signal: AbortSignal,
  deps: HandlerDeps,
): Parameters<Route['handler']>[0] {
  const { clients, counters, logger } = deps;
  const { params, query, body } = requireFromContext(response, 'input');
  const { account, plan } = requireFromContext(response, 'caller');
  const { requestId } = getRequestContext(response);
  const now = deps.now();
  const { countUse, recordUse } = createUseCounting({
    accountId: account.id,
    limits: plan.limits,
    counters,
    requestId,
    now,
    logger,
    hasCallerLeft: () => response.closed,
  });
  // gRPC compares a deadline with the real clock, not with the injected one.
  const call: CallOptions = { requestId, deadline: new Date(Date.now() + route.deadlineMs), signal };
  return {
    account,
    plan,
    params,
    query,
    // The route's schema has validated the body; only its type is unknown here.
    body: body as null,
    clients,
    counters,
    countUse,
    recordUse,
    call,
    now,
  };
}
