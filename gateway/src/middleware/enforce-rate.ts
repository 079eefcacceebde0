import { AppError } from '@shelfwise/runtime/errors';
import type { RequestHandler } from 'express';
import { invalidKey } from '../http/gateway-errors.ts';
import { requireFromContext } from './request-context.ts';
import { sendError } from './send-error.ts';

/** 429 with the three headers when a window is full; 401 when the key was replaced since its lookup. */
export const enforceRate: RequestHandler = (_request, response, next) => {
  const { decision, at } = requireFromContext(response, 'admission');
  if (decision.outcome === 'key-replaced') throw invalidKey();
  if (decision.outcome !== 'rate-limited') return next();

  const { limit, retryAfterMs } = decision;
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  response.set({
    'Retry-After': String(retryAfterSeconds),
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Reset': String(Math.ceil((at.getTime() + retryAfterMs) / 1000)),
  });
  const window = limit === 5 ? '5 requests per second' : 'fewer than 60 requests per minute';
  sendError(
    response,
    new AppError('RATE_LIMITED', `A key may make ${window}. Try again in ${retryAfterSeconds} s.`),
  );
};
