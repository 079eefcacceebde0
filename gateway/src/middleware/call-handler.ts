import { AppError } from '@shelfwise/runtime/errors';
import type { CallOptions } from '@shelfwise/runtime/grpc-types';
import type { Logger } from '@shelfwise/runtime/logger';
import type { RequestHandler, Response } from 'express';
import type { Clients } from '../clients.ts';
import type { Route } from '../define-route.ts';
import { createUseCounting } from '../limits/count-use.ts';
import type { UsageCounters } from '../limits/usage-counters.ts';
import { exchangeOf, required } from './exchange.ts';

/** Runs the route's handler and answers with what it gives. */
export function callHandler(
  route: Route,
  deps: { clients: Clients; counters: UsageCounters; logger: Logger; now: () => Date },
): RequestHandler {
  const { clients, counters, logger } = deps;
  return async (_request, response) => {
    const { params, query, body } = required(response, 'input');
    const { account, plan } = required(response, 'caller');
    const call = callOptions(response, route.deadlineMs);
    const now = deps.now();
    const { data, meta } = await route.handler({
      account,
      plan,
      params,
      query,
      body: body as null,
      clients,
      counters,
      ...createUseCounting({ accountId: account.id, limits: plan.limits, counters, call, now, logger }),
      call,
      now,
    });
    response.json(meta === undefined ? { data } : { data, meta });
  };
}

/** Services stop working for a caller who has gone. gRPC counts a deadline on the real clock. */
function callOptions(response: Response, deadlineMs: number): CallOptions {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort(new AppError('SERVICE_UNAVAILABLE', 'The caller has gone.'));
  });
  const { requestId } = exchangeOf(response);
  return { requestId, deadline: new Date(Date.now() + deadlineMs), signal: gone.signal };
}
