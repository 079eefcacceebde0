import type { RequestHandler } from 'express';
import { admitsJson, chooseFormat } from '../http/answer-format.ts';
import { badRequest } from '../http/gateway-errors.ts';
import type { Route } from '../routes/route/define-route.ts';
import { getRequestContext } from './request-context.ts';

/**
 * Decides whether the answer is JSON or CSV. A client that accepts nothing but CSV, of an endpoint that has none, has a
 * problem, because the interface has no 406. Errors are JSON in any case.
 */
export function chooseAnswerFormat(route: Route, routes: readonly Route[]): RequestHandler {
  const endpoints = routes
    .filter(({ csv }) => csv)
    .map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  const message = `This endpoint has no CSV: accept application/json. These have CSV: ${endpoints.join(', ')}.`;
  return (request, response, next) => {
    response.vary('Accept');
    const context = getRequestContext(response);
    if (chooseFormat(request) === 'csv') {
      if (route.csv) context.format = 'csv';
      else if (!admitsJson(request)) context.problem ??= badRequest(message);
    }
    next();
  };
}
