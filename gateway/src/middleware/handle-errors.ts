import { AppError, type ErrorCode, errorCodes } from '@shelfwise/runtime/errors';
import type { Logger } from '@shelfwise/runtime/log/logger';
import type { ErrorRequestHandler, Response } from 'express';
import { unexpectedFailure } from '../http/gateway-errors.ts';
import type { LimitDecider } from '../limits/limit-decider.ts';
import type { CallCredentials } from '../oauth/call-credentials.ts';
import type { Caller } from '../routes/route/define-route.ts';
import { type Admission, getRequestContext } from './request-context.ts';
import { sendError } from './send-error.ts';

/**
 * The last step: answers every failure with the error envelope. The API request is refunded after a 5xx, when the
 * handler finds a wrong parameter, and when the plan has no room for the call: none of them costs anything. A keyword whose
 * empty page is not believed yet keeps its request. The line of the request says why it failed; an
 * unexpected failure also has a line with its stack, and so has a failure after the caller disconnected.
 */
export function handleErrors(deps: {
  logger: Logger;
  limits: LimitDecider;
  /** Absent: no assistants connect. */
  calls: Pick<CallCredentials, 'giveBack'> | undefined;
}): ErrorRequestHandler {
  const { logger, limits, calls } = deps;
  return async (error: unknown, request, response, next) => {
    const appError = error instanceof AppError ? error : unexpectedFailure(error);
    const isOurs = errorCodes[appError.code][0] >= 500;
    getRequestContext(response).failure = appError;
    if (isOurs) logFailure(logger, response, appError, error);
    // A caller that disconnected gets no refund; otherwise disconnecting would make every call free.
    if (isRefunded(appError) && !response.closed) {
      const { admission, caller, requestId } = getRequestContext(response);
      if (caller && admission) await refund(caller, admission, { limits, logger, requestId });
    }
    const { usedCredential } = getRequestContext(response);
    // The assistant server retries a read with the same credential. A write may already have taken effect.
    if (usedCredential && appError.code === 'SERVICE_UNAVAILABLE' && request.method === 'GET')
      await calls?.giveBack(usedCredential).catch(() => {});
    if (response.headersSent) return next(error);
    sendError(response, appError);
  };
}

/** Whether a call that fails so costs nothing. */
function isRefunded({ code, isUnproven }: AppError): boolean {
  // The store was read and shows nothing: free calls would let nonsense use up its budget.
  return (errorCodes[code][0] >= 500 && !isUnproven) || refundedCodes.includes(code);
}

const refundedCodes: readonly ErrorCode[] = ['INVALID_PARAMS', 'PLAN_LIMIT'];

function logFailure(logger: Logger, response: Response, appError: AppError, error: unknown): void {
  const requestContext = getRequestContext(response);
  const { requestId, route, caller } = requestContext;
  const context = { request_id: requestId, route, account_id: caller?.account.id, code: appError.code };
  if (appError.code === 'INTERNAL_ERROR') logger.error({ ...context, err: error }, 'request failed');
  // A caller that left is not a failure of ours. The line of the request has been written when it left.
  else if (response.closed) {
    // Without a caller it may be one of a flood, which has no line each.
    if (caller) logger.info({ ...context, reason: appError.message }, 'the caller disconnected');
  } else requestContext.isWarning = true;
}

async function refund(
  { account }: Caller,
  { decision, quotaCost, at }: Admission,
  { limits, logger, requestId }: { limits: Pick<LimitDecider, 'refund'>; logger: Logger; requestId: string },
): Promise<void> {
  if (decision.outcome !== 'admitted') return;
  try {
    await limits.refund({ accountId: account.id, quotaCost, at });
  } catch (error) {
    logger.warn({ request_id: requestId, err: error }, 'an API request could not be refunded');
  }
}
