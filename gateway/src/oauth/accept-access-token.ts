import { AppError } from '@shelfwise/runtime/errors';
import type { RequestHandler } from 'express';
import type { ConnectionUse } from '../http/connection-use.ts';
import { mapDatabaseError } from '../http/gateway-errors.ts';
import { missingKey, type RefuseUnknown, readKey } from '../middleware/authenticate.ts';
import { getRequestContext } from '../middleware/request-context.ts';
import { findPlan, type Plans } from '../plans/plans.ts';
import { isAccessToken } from './access-tokens.ts';
import type { OAuth } from './create-oauth.ts';
import { resourceMetadataPath } from './oauth-router.ts';

/**
 * Finds the account of the access token in a request to /mcp. A request without key and token is answered with the address where
 * tokens are issued (RFC 9728), and counts as a call without a valid key. A request with a key passes unchanged.
 * @param deps.limitExpired refuses an address that comes too often with expired tokens. These were issued here and are no guesses, so
 *   they do not count as wrong keys: many assistants share an address
 */
export function acceptAccessToken(deps: {
  oauth: Pick<OAuth, 'issuer' | 'tokens'>;
  plans: Plans;
  connectionUse: Pick<ConnectionUse, 'noteValidKey' | 'noteRefusal'>;
  refuseUnknown: RefuseUnknown;
  limitExpired: RequestHandler;
  now: () => Date;
}): RequestHandler {
  const { oauth, plans, connectionUse, refuseUnknown, limitExpired, now } = deps;
  const challenge = (reason?: string) => {
    const why = reason === undefined ? '' : `error="invalid_token", error_description="${reason}", `;
    return `Bearer ${why}resource_metadata="${toMetadataUrl(oauth.issuer())}"`;
  };

  return async (request, response, next) => {
    const context = getRequestContext(response);
    const sent = readKey(request);
    if (sent === null) {
      context.challenge = challenge();
      return refuseUnknown(request, response, missingKey());
    }
    if (!isAccessToken(sent)) return next();
    // Only the header counts: an address is kept in logs and histories.
    const isInHeader = request.headers.authorization?.includes(sent) === true;
    const token = isInHeader ? await mapDatabaseError(oauth.tokens.find(sent)) : null;
    if (token && token.expiresAt > now()) {
      connectionUse.noteValidKey(request.socket);
      context.caller = { account: token.account, plan: findPlan(plans, token.account.plan) };
      context.accessToken = token;
      return next();
    }
    const reason = token ? 'The access token has expired.' : 'The access token is not valid.';
    context.challenge = challenge(reason);
    const refusal = new AppError('INVALID_API_KEY', reason);
    if (!token) return refuseUnknown(request, response, refusal);
    connectionUse.noteRefusal(response);
    await limitExpired(request, response, (error?: unknown) => next(error ?? refusal));
  };
}

/** Where the document is that says who gives tokens for /mcp. */
export function toMetadataUrl(issuer: string): string {
  return `${issuer}${resourceMetadataPath}/mcp`;
}
