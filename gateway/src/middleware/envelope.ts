import { type AppError, errorCodes } from '@shelfwise/runtime/errors';
import type { Response } from 'express';
import { exchangeOf } from './exchange.ts';

/** How long a client should wait before it asks again for what is down. */
const retryUnavailableAfterSeconds = 5;

/** Answers with the failure envelope; `extra` stands beside error and code. */
export function sendError(response: Response, error: AppError, extra: Record<string, unknown> = {}): void {
  const { code, message, details } = error;
  exchangeOf(response).code = code;
  if (code === 'SERVICE_UNAVAILABLE') response.set('Retry-After', String(retryUnavailableAfterSeconds));
  response.status(errorCodes[code][0]).json({ error: message, code, ...(details && { details }), ...extra });
}
