import type { RequestHandler } from 'express';
import { invalidCredential, mapDatabaseError } from '../http/gateway-errors.ts';
import { getRequestContext } from '../middleware/request-context.ts';
import type { Route } from '../routes/route/define-route.ts';
import type { OAuth } from './create-oauth.ts';

/** Whether a call of the route changes something of the account. What spends quota only reads or computes. */
export function changesAccount({ method, cost }: Pick<Route, 'method' | 'cost'>): boolean {
  return method !== 'get' && cost === 0;
}

/** Uses up the credential of a call that is about to start. Refuses one without the scope, and a second call with the same. */
export function useCallCredential(
  route: Pick<Route, 'method' | 'cost'>,
  calls: Pick<OAuth['calls'], 'use'> | undefined,
): RequestHandler {
  return async (_request, response, next) => {
    const context = getRequestContext(response);
    const { credential } = context;
    if (!credential || !calls) return next();
    const isAllowed = !changesAccount(route) || credential.scopes.includes('write');
    if (!isAllowed || !(await mapDatabaseError(calls.use(credential.hash)))) throw invalidCredential();
    context.usedCredential = credential.hash;
    next();
  };
}
