import { AppError } from '@shelfwise/runtime/errors';
import type { RequestHandler } from 'express';
import { invalidKey } from './authenticate.ts';
import { sendError } from './envelope.ts';
import { required } from './exchange.ts';

/** 429 with the three headers when a window is full; 401 when the key was replaced since it was looked up. */
export const enforceRate: RequestHandler = (_request, response, next) => {
  const { decision } = required(response, 'admission');
  if (decision.outcome === 'key-replaced') throw invalidKey();
  if (decision.outcome !== 'rate-limited') return next();

  const { limit, retryAfterSeconds, resetAtSeconds } = decision;
  response.set({
    'Retry-After': String(retryAfterSeconds),
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Reset': String(resetAtSeconds),
  });
  const window = limit === 5 ? '5 requests per second' : 'fewer than 60 requests per minute';
  sendError(
    response,
    new AppError('RATE_LIMITED', `A key may make ${window}. Try again in ${retryAfterSeconds} s.`),
  );
};
