import { AppError } from '@shelfwise/runtime/errors';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { badRequest } from './bad-request.ts';
import { exchangeOf } from './exchange.ts';

/** A path that no route has. */
export const noteUnknownPath: RequestHandler = (request, response, next) => {
  exchangeOf(response).problem ??= isDecodable(request.path)
    ? new AppError('NOT_FOUND', `There is no ${request.method} endpoint at this path.`)
    : brokenPath();
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

/** A path that looks like a route's, but its percent-encoding is broken. Whatever else went wrong goes on to the last step. */
export const noteBrokenPath: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof URIError)) return next(error);
  exchangeOf(response).problem = brokenPath();
  next();
};

function brokenPath(): AppError {
  return badRequest('The path is not valid percent-encoded UTF-8.');
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
