import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';
import type { Logger } from '@shelfwise/runtime/logger';
import type { RequestHandler, Response } from 'express';
import type { CallsInFlight } from '../calls-in-flight.ts';
import type { Clients } from '../clients.ts';
import type { Route } from '../define-route.ts';
import { createUseCounting } from '../limits/count-use.ts';
import type { UsageCounters } from '../limits/usage-counters.ts';
import { exchangeOf, required } from './exchange.ts';

type HandlerDeps = {
  clients: Clients;
  counters: UsageCounters;
  callsInFlight: CallsInFlight;
  logger: Logger;
  now: () => Date;
};

/** Runs the route's handler and answers with what it gives. */
export function callHandler(route: Route, deps: HandlerDeps): RequestHandler {
  return async (_request, response) => {
    const { data, meta } = await deps.callsInFlight.run(response, (signal) =>
      route.handler(routeCall(response, route, signal, deps)),
    );
    response.json(meta === undefined ? { data } : { data, meta });
  };
}

function routeCall(
  response: Response,
  route: Route,
  signal: AbortSignal,
  deps: HandlerDeps,
): Parameters<Route['handler']>[0] {
  const { clients, counters, logger } = deps;
  const { params, query, body } = required(response, 'input');
  const { account, plan } = required(response, 'caller');
  const { requestId } = exchangeOf(response);
  // gRPC counts a deadline on the real clock.
  const call: CallOptions = { requestId, deadline: new Date(Date.now() + route.deadlineMs), signal };
  const now = deps.now();
  const uses = createUseCounting({
    accountId: account.id,
    limits: plan.limits,
    counters,
    requestId,
    now,
    logger,
    hasLeft: () => response.closed,
  });
  return { account, plan, params, query, body: body as null, clients, counters, ...uses, call, now };
}
