import type { RequestHandler } from 'express';
import { hasUnreadBody } from '../http/unread-body.ts';

/**
 * Node announces a request before it parses the body that has arrived with the headers. After this step a small body is
 * usually complete, so that a refusal leaves nothing unread and its connection stays open.
 */
export const letBodyArrive: RequestHandler = (request, _response, next) => {
  if (hasUnreadBody(request)) setImmediate(next);
  else next();
};
