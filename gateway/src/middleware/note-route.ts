import type { RequestHandler } from 'express';
import { exchangeOf } from './exchange.ts';

/** Remembers which route matched, for the log and the measures. */
export function noteRoute(path: string): RequestHandler {
  return (_request, response, next) => {
    exchangeOf(response).route = path;
    next();
  };
}
