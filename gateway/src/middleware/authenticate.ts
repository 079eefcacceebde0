import { AppError } from '@shelfwise/runtime/errors';
import type { Request, RequestHandler } from 'express';
import type { Accounts } from '../accounts/accounts.ts';
import { invalidKey, mapDatabaseError } from '../http/gateway-errors.ts';
import type { AddressLimiter } from '../limits/address-limiter.ts';
import { findPlan, type Plans } from '../plans/plans.ts';
import { getRequestContext, requireFromContext } from './request-context.ts';
import { sendError } from './send-error.ts';

/**
 * Finds the account of the key. Without a valid key a call is 401, and 429 after too many of them from one address.
 * This limit neither counts nor refuses calls with a valid key.
 */
export function authenticate(deps: {
  accounts: Pick<Accounts, 'findByKey'>;
  plans: Plans;
  invalidKeyLimiter: AddressLimiter;
}): RequestHandler {
  const { accounts, plans, invalidKeyLimiter } = deps;
  return async (request, response, next) => {
    const key = readKey(request);
    const account = key === null ? null : await mapDatabaseError(accounts.findByKey(key));
    if (account) {
      getRequestContext(response).caller = { account, plan: findPlan(plans, account.plan) };
      next();
      return;
    }
    const retryAfterSeconds = await invalidKeyLimiter.count(request.ip, request.socket.remoteAddress);
    if (retryAfterSeconds === null) throw key === null ? missingKey() : invalidKey();
    response.set('Retry-After', String(retryAfterSeconds));
    sendError(response, tooManyInvalidKeys());
  };
}

/** 403 on every route for an account whose plan has no API access. */
export const requirePlan: RequestHandler = (_request, response, next) => {
  const { account, plan } = requireFromContext(response, 'caller');
  if (plan.api_access) return next();
  throw new AppError('PLAN_REQUIRED', `The plan "${account.plan}" has no API access.`);
};

/**
 * X-API-Key wins over a bearer token, and both over the query. An empty value counts as no key, and so does another
 * scheme of Authorization; a key sent twice in the query is invalid.
 */
export function readKey(request: Request): string | null {
  const inHeader = request.get('x-api-key');
  if (inHeader) return inHeader;
  const bearer = /^bearer +(\S.*)$/i.exec(request.get('authorization') ?? '')?.[1];
  if (bearer) return bearer.trimEnd();
  const inQuery = request.query.api_key;
  if (inQuery === undefined || inQuery === '') return null;
  return String(inQuery);
}

function missingKey(): AppError {
  return new AppError(
    'MISSING_API_KEY',
    'Send your API key in the header X-API-Key, as Authorization: Bearer, or in the query parameter api_key.',
  );
}

function tooManyInvalidKeys(): AppError {
  return new AppError(
    'RATE_LIMITED',
    'Too many calls without a valid API key from this address. Try again later.',
  );
}
