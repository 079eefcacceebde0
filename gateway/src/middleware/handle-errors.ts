import { AppError, errorCodes } from '@shelfwise/runtime/errors';
import type { Logger } from '@shelfwise/runtime/logger';
import type { ErrorRequestHandler, Response } from 'express';
import type { LimitDecider } from '../limits/limit-decider.ts';
import { sendError } from './envelope.ts';
import { exchangeOf } from './exchange.ts';
import { unexpectedFailure } from './unexpected-failure.ts';

/**
 * The last step: every failure becomes the envelope, is logged once, and what it cost is given back when it is ours,
 * and for a parameter that only the app's own data shows to be wrong: wrong parameters cost nothing.
 */
export function handleErrors(deps: { logger: Logger; limits: LimitDecider }): ErrorRequestHandler {
  const { logger, limits } = deps;
  return async (error: unknown, _request, response, next) => {
    const known = error instanceof AppError ? error : unexpectedFailure(error);
    const isOurs = errorCodes[known.code][0] >= 500;
    if (isOurs) logFailure(logger, response, known, error);
    const isFree = isOurs || known.code === 'INVALID_PARAMS';
    // Who left got no answer: nothing is given back, or leaving would make every call free.
    if (isFree && !response.closed) await giveBack(limits, response, logger);
    if (response.headersSent) return next(error);
    sendError(response, known);
  };
}

function logFailure(logger: Logger, response: Response, known: AppError, error: unknown): void {
  const { requestId, route } = exchangeOf(response);
  const context = { request_id: requestId, route, code: known.code };
  if (known.code === 'INTERNAL_ERROR') logger.error({ ...context, err: error }, 'request failed');
  else logger.warn({ ...context, reason: known.message, cause: describe(known.cause) }, 'request failed');
}

function describe(cause: unknown): string | undefined {
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : undefined;
}

async function giveBack(limits: LimitDecider, response: Response, logger: Logger): Promise<void> {
  const { admission, caller, requestId } = exchangeOf(response);
  if (!caller || admission?.decision.outcome !== 'admitted') return;
  const { quotaCost, at } = admission;
  try {
    await limits.refund({ accountId: caller.account.id, quotaCost, at });
  } catch (error) {
    logger.warn({ request_id: requestId, err: error }, 'a request could not be given back');
  }
}
