import { AppError } from '@shelfwise/runtime/errors';
import type { Request, RequestHandler } from 'express';
import type { Accounts } from '../accounts/accounts.ts';
import type { GuessLimiter } from '../limits/guess-limiter.ts';
import { type Plans, planNamed } from '../plans/plans.ts';
import { sendError } from './envelope.ts';
import { exchangeOf } from './exchange.ts';
import { orUnavailable } from './or-unavailable.ts';

/**
 * Finds the account of the key: 401 without a valid one, and 429 for an address that keeps trying. A valid key is
 * never slowed by that.
 */
export function authenticate(deps: {
  accounts: Pick<Accounts, 'findByKey'>;
  plans: Plans;
  guessLimiter: GuessLimiter;
}): RequestHandler {
  const { accounts, plans, guessLimiter } = deps;
  return async (request, response, next) => {
    const key = keyOf(request);
    const account = key === null ? null : await orUnavailable(accounts.findByKey(key));
    if (account) {
      exchangeOf(response).caller = { account, plan: planNamed(plans, account.plan) };
      next();
      return;
    }
    const retryAfterSeconds = await guessLimiter.countGuess(request.ip, request.socket.remoteAddress);
    if (retryAfterSeconds === null) throw key === null ? missingKey() : invalidKey();
    response.set('Retry-After', String(retryAfterSeconds));
    sendError(response, tooManyGuesses());
  };
}

/** The header goes before the query. An empty one counts as none; a key given twice in the query is no key. */
function keyOf(request: Request): string | null {
  const inHeader = request.get('x-api-key');
  if (inHeader) return inHeader;
  const inQuery = request.query.api_key;
  if (inQuery === undefined || inQuery === '') return null;
  return String(inQuery);
}

function missingKey(): AppError {
  return new AppError(
    'MISSING_API_KEY',
    'Send your API key in the header X-API-Key or in the query parameter api_key.',
  );
}

/** Also the answer to a key that has just been replaced. */
export function invalidKey(): AppError {
  return new AppError(
    'INVALID_API_KEY',
    'This API key is not valid. It may have been replaced by a new one.',
  );
}

function tooManyGuesses(): AppError {
  return new AppError(
    'RATE_LIMITED',
    'Too many calls without a valid API key from this address. Wait a little.',
  );
}
