import { type AppError, errorCodes } from '@shelfwise/runtime/errors';
import { redactKeys } from '@shelfwise/runtime/log/redact-keys';
import type { Response } from 'express';
import { getRequestContext } from './request-context.ts';

/** How long a client should wait before it retries after SERVICE_UNAVAILABLE. */
const retryUnavailableAfterSeconds = 5;

/**
 * Answers with the error envelope, or with a page for a browser that opens one; `extra` is added to error and code. A message
 * may quote what the client sent, which may contain a key by mistake.
 */
export function sendError(response: Response, error: AppError, extra: Record<string, unknown> = {}): void {
  const { code, message, details } = error;
  const context = getRequestContext(response);
  context.failure = error;
  if (code === 'SERVICE_UNAVAILABLE') response.set('Retry-After', String(retryUnavailableAfterSeconds));
  const [status] = errorCodes[code];
  if (status === 401 && context.challenge) response.set('WWW-Authenticate', context.challenge);
  response.status(status);
  if (context.sendProblem) context.sendProblem(redactKeys(message));
  else response.type('json').send(redactKeys(JSON.stringify({ error: message, code, details, ...extra })));
}
