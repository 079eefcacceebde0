import { AppError } from '@shelfwise/runtime/errors';
import type { RequestHandler } from 'express';
import { type CallsInFlight, maxCallsPerAccount } from '../http/calls-in-flight.ts';
import { getRequestContext, requireFromContext } from './request-context.ts';

/**
 * Counts a call as in flight until it is answered and its work has ended. A call over the account's limit has a
 * problem: it is answered 503 after the rate windows, without its body being read. `kind`: of calls with slots of their own;
 * those of the dashboard have some, too.
 */
export function limitCallsInFlight(
  callsInFlight: Pick<CallsInFlight, 'reserve'>,
  kind?: string,
): RequestHandler {
  return (_request, response, next) => {
    const { account } = requireFromContext(response, 'caller');
    const own = kind ?? (getRequestContext(response).session ? 'dashboard' : undefined);
    const slots = own === undefined ? account.id : `${account.id} ${own}`;
    if (!callsInFlight.reserve(slots, response)) getRequestContext(response).problem = tooManyCalls();
    next();
  };
}

function tooManyCalls(): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    `This account has ${maxCallsPerAccount} calls in progress. Wait until one is answered.`,
  );
}
