import { AppError } from '@shelfwise/runtime/errors';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { badRequest } from './bad-request.ts';
import { exchangeOf } from './exchange.ts';

/** A path that no route has. */
export const noteUnknownPath: RequestHandler = (request, response, next) => {
  const exchange = exchangeOf(response);
  exchange.problem ??= new AppError('NOT_FOUND', `There is no ${request.method} endpoint at this path.`);
  next();
};

/** A path that exists, with a method that it does not have. */
export function noteWrongMethod(allowed: readonly string[]): RequestHandler {
  const list = allowed.join(', ');
  return (request, response, next) => {
    response.set('Allow', list);
    exchangeOf(response).problem = new AppError(
      'METHOD_NOT_ALLOWED',
      `This path takes ${list}, not ${request.method}.`,
    );
    next();
  };
}

/** A path whose percent-encoding is broken; whatever else went wrong goes on to the last step. */
export const noteBrokenPath: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof URIError)) return next(error);
  exchangeOf(response).problem = badRequest('The path is not valid percent-encoded UTF-8.');
  next();
};
