import { AppError } from '@shelfwise/runtime/errors';
import type { Request, RequestHandler, Response } from 'express';
import type { Accounts } from '../accounts/accounts.ts';
import type { ClientAddress } from '../http/client-address.ts';
import type { ConnectionUse } from '../http/connection-use.ts';
import { invalidCredential, invalidKey, mapDatabaseError } from '../http/gateway-errors.ts';
import { readSentKey } from '../http/sent-key.ts';
import type { AddressLimiter } from '../limits/address-limiter.ts';
import { isAccessToken } from '../oauth/access-tokens.ts';
import { type CallCredentials, isCallCredential } from '../oauth/call-credentials.ts';
import { findPlan, type Plans } from '../plans/plans.ts';
import { getRequestContext, requireFromContext } from './request-context.ts';
import { sendError } from './send-error.ts';

/** Refuses a call without a valid key, code or session. @throws the error, 401, while its address has sent few of them */
export type RefuseUnknown = (request: Request, response: Response, error: AppError) => Promise<void>;

/**
 * Counts the calls without a valid key of each address. After too many they are 429, which also closes a connection that has
 * carried nothing else, unless it is one of a trusted proxy.
 */
export function createRefuseUnknown(deps: {
  invalidKeyLimiter: AddressLimiter;
  connectionUse: ConnectionUse;
  /** Whether a connection is one of a trusted proxy. */
  isProxy: ClientAddress['isProxy'];
}): RefuseUnknown {
  const { invalidKeyLimiter, connectionUse, isProxy } = deps;
  return async (request, response, error) => {
    const retryAfterSeconds = await invalidKeyLimiter.count(request.ip, request.socket.remoteAddress);
    connectionUse.noteRefusal(response);
    if (retryAfterSeconds === null) throw error;
    response.set('Retry-After', String(retryAfterSeconds));
    if (!isProxy(request.socket) && connectionUse.isUseless(request, response))
      response.set('Connection', 'close');
    getRequestContext(response).isFlood = true;
    sendError(response, tooManyInvalidKeys());
  };
}

/**
 * Finds the account of the key, or of the credential of a call of the assistant server. A call without a valid one is refused: 401,
 * or 429 after too many. This limit neither counts nor refuses calls with a valid key. A step before may have found the account.
 */
export function authenticate(deps: {
  accounts: Pick<Accounts, 'findByKey'>;
  plans: Plans;
  connectionUse: ConnectionUse;
  refuseUnknown: RefuseUnknown;
  /** Absent: no assistants connect. */
  calls: Pick<CallCredentials, 'find'> | undefined;
}): RequestHandler {
  const { accounts, plans, connectionUse, refuseUnknown, calls } = deps;

  /** Accepted only in X-API-Key, where the assistant server sends it, and only below /api/v1: /mcp would issue new ones for it. */
  async function findByCredential(request: Request, response: Response, credential: string) {
    const isFromThere = request.headers['x-api-key'] === credential && request.path.startsWith('/api/v1/');
    if (!isFromThere || !calls) return null;
    const context = getRequestContext(response);
    const found = await calls.find(credential, context.requestId);
    if (found) context.credential = found;
    return found?.account ?? null;
  }

  return async (request, response, next) => {
    const context = getRequestContext(response);
    if (context.caller) return next();
    const key = readKey(request);
    const isCredential = key !== null && isCallCredential(key);
    const finding = isCredential ? findByCredential(request, response, key) : accounts.findByKey(key ?? '');
    const account = await mapDatabaseError(finding);
    if (account) {
      connectionUse.noteValidKey(request.socket);
      context.caller = { account, plan: findPlan(plans, account.plan) };
      return next();
    }
    await refuseUnknown(request, response, key === null ? missingKey() : refusalOf(key));
  };
}

/** Why a key is invalid. */
export function refusalOf(key: string): AppError {
  if (isCallCredential(key)) return invalidCredential();
  if (isAccessToken(key))
    return new AppError('INVALID_API_KEY', 'The access token of an assistant is good for /mcp only.');
  return explainForm(key) ?? invalidKey();
}

/** 403 on every route for an account whose plan has no API access. */
export const requirePlan: RequestHandler = (_request, response, next) => {
  const { account, plan } = requireFromContext(response, 'caller');
  if (plan.api_access) return next();
  throw new AppError('PLAN_REQUIRED', `The plan "${account.plan}" has no API access.`);
};

/** The key of a request; null when it has none. */
export function readKey(request: Request): string | null {
  return readSentKey(request.headers, () => request.query.api_key);
}

const quoted = /^["'`\u2018-\u201f\u00ab\u00bb]|["'`\u2018-\u201f\u00ab\u00bb]$/;

/** What is wrong with the form of an invalid key, without the key; null when its form tells nothing. */
function explainForm(key: string): AppError | null {
  if (/^bearer\s/i.test(key))
    return new AppError(
      'INVALID_API_KEY',
      'X-API-Key and api_key take the key alone, without "Bearer ". Only the header Authorization begins with it.',
    );
  if (quoted.test(key))
    return new AppError('INVALID_API_KEY', 'Send the API key without quotation marks around it.');
  return null;
}

export function missingKey(): AppError {
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
