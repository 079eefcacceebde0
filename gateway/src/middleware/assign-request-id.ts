import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { openExchange } from './exchange.ts';

/** A key that was put into the wrong header must not go through the logs as an id. */
const acceptable = /^(?!sw_live_)[A-Za-z0-9._-]{1,64}$/i;

/** Every answer carries X-Request-Id: the caller's own when it is a plain short word, else a new one. */
export const assignRequestId: RequestHandler = (request, response, next) => {
  const given = request.get('x-request-id');
  const requestId = given !== undefined && acceptable.test(given) ? given : randomUUID();
  openExchange(response, { requestId, route: 'unmatched' });
  response.set('X-Request-Id', requestId);
  next();
};
