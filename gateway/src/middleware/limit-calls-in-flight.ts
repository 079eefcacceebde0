import { AppError } from '@shelfwise/runtime/errors';
import type { RequestHandler } from 'express';
import { type CallsInFlight, maxCallsPerAccount } from '../http/calls-in-flight.ts';
import { getRequestContext, requireFromContext } from './request-context.ts';

/**
 * Counts a call as in flight until it is answered and its work has ended. A call over the account's limit has a
 * problem: it is answered 503 after the rate windows, without its body being read.
 */
export function limitCallsInFlight(callsInFlight: Pick<CallsInFlight, 'reserve'>): RequestHandler {
  return (_request, response, next) => {
    const { account } = requireFromContext(response, 'caller');
    // Those of the dashboard have slots of their own.
    const slots = getRequestContext(response).session ? `${account.id} dashboard` : account.id;
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
