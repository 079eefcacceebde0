import { AppError } from '@shelfwise/runtime/errors';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { badRequest } from '../http/gateway-errors.ts';
import { getRequestContext } from './request-context.ts';

/** Records which route matched, for the log and the metrics. */
export function recordRoute(path: string): RequestHandler {
  return (_request, response, next) => {
    getRequestContext(response).route = path;
    next();
  };
}

/** A path that no route has. */
export const detectUnknownPath: RequestHandler = (request, response, next) => {
  const context = getRequestContext(response);
  const what = context.sendProblem ? 'page' : `${request.method} endpoint`;
  context.problem ??= isDecodable(request.path)
    ? new AppError('NOT_FOUND', `There is no ${what} at this path.`)
    : brokenPath();
  next();
};

/** A path that exists, with a method that it does not have. */
export function detectWrongMethod(allowed: readonly string[]): RequestHandler {
  const list = allowed.join(', ');
  return (request, response, next) => {
    response.set('Allow', list);
    getRequestContext(response).problem = new AppError(
      'METHOD_NOT_ALLOWED',
      `This path supports ${list}, not ${request.method}.`,
    );
    next();
  };
}

/** A path that looks like a route's, but its percent-encoding is broken. Other errors go on to the last step. */
export const detectBrokenPath: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof URIError)) return next(error);
  getRequestContext(response).problem = brokenPath();
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
