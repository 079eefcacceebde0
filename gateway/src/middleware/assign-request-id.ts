import { randomUUID } from 'node:crypto';
import { containsKey } from '@shelfwise/runtime/log/redact-keys';
import type { RequestHandler } from 'express';
import { setRequestContext } from './request-context.ts';

const acceptedId = /^[A-Za-z0-9._-]{1,64}$/;

/** Every answer has an X-Request-Id: the caller's own when it is valid, otherwise a new one. */
export const assignRequestId: RequestHandler = (request, response, next) => {
  const sentId = request.get('x-request-id');
  const requestId = sentId !== undefined && isAcceptable(sentId) ? sentId : randomUUID();
  setRequestContext(response, { requestId, route: 'unmatched' });
  response.set('X-Request-Id', requestId);
  next();
};

/** An API key that was sent in the wrong header must not appear in the logs as a request id. */
function isAcceptable(sentId: string): boolean {
  return acceptedId.test(sentId) && !containsKey(sentId);
}
