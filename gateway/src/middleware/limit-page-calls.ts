import { AppError } from '@shelfwise/runtime/errors';
import type { RequestHandler } from 'express';
import type { AddressLimiter } from '../limits/address-limiter.ts';
import { getRequestContext } from './request-context.ts';
import { sendError } from './send-error.ts';

/** 429 after too many calls of public pages from one address. */
export function limitPageCalls(limiter: AddressLimiter): RequestHandler {
  return async (request, response, next) => {
    const retryAfterSeconds = await limiter.count(request.ip, request.socket.remoteAddress);
    if (retryAfterSeconds === null) return next();
    response.set('Retry-After', String(retryAfterSeconds));
    getRequestContext(response).isFlood = true;
    sendError(response, tooManyCalls());
  };
}

function tooManyCalls(): AppError {
  return new AppError('RATE_LIMITED', 'Too many calls of public pages from this address. Try again later.');
}
