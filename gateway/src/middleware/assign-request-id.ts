import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { openExchange } from './exchange.ts';

const acceptable = /^[A-Za-z0-9._-]{1,64}$/;

/** Every answer carries X-Request-Id: the caller's own when it is a plain short word, else a new one. */
export const assignRequestId: RequestHandler = (request, response, next) => {
  const given = request.get('x-request-id');
  const requestId = given !== undefined && acceptable.test(given) ? given : randomUUID();
  openExchange(response, { requestId, route: 'unmatched' });
  response.set('X-Request-Id', requestId);
  next();
};
