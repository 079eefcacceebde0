import { AppError } from '@shelfwise/runtime/errors';
import type { RequestHandler } from 'express';
import { invalidKey, sessionRequired } from '../http/gateway-errors.ts';
import type { RateLimited } from '../limits/limit-decider.ts';
import type { WindowLimit } from '../limits/sliding-windows.ts';
import { getRequestContext, requireFromContext } from './request-context.ts';
import { sendError } from './send-error.ts';

const windowTexts: Readonly<Record<WindowLimit, string>> = {
  5: 'A key may make 5 requests per second',
  60: 'A key may make fewer than 60 requests per minute',
  10: 'The dashboard of an account may make 10 requests per second',
  300: 'The dashboard of an account may make 300 requests per minute',
};

/** 429 with the three headers when a window is full; 401 when the key was replaced since its lookup. */
export const enforceRate: RequestHandler = (_request, response, next) => {
  const { decision, at } = requireFromContext(response, 'admission');
  if (decision.outcome === 'key-replaced')
    throw getRequestContext(response).session ? sessionRequired() : invalidKey();
  if (decision.outcome !== 'rate-limited') return next();

  response.set({
    'Retry-After': String(retryAfterSeconds(decision)),
    'X-RateLimit-Limit': String(decision.limit),
    'X-RateLimit-Reset': String(Math.ceil((at.getTime() + decision.retryAfterMs) / 1000)),
  });
  sendError(response, rateLimited(decision));
};

function retryAfterSeconds({ retryAfterMs }: RateLimited): number {
  return Math.max(1, Math.ceil(retryAfterMs / 1000));
}

function rateLimited(decision: RateLimited): AppError {
  const message = `${windowTexts[decision.limit]}. Try again in ${retryAfterSeconds(decision)} s.`;
  return new AppError('RATE_LIMITED', message);
}
