import { AppError, errorCodes } from '@shelfwise/runtime/errors';
import { redactKeys } from '@shelfwise/runtime/log/redact-keys';
import type { Response } from 'express';
import { getRequestContext } from '../middleware/request-context.ts';
import type { OAuthError } from './oauth-error.ts';

/** Answers as RFC 6749, 5.2 says; the line of the request says why it was refused. */
export function sendOAuthError(response: Response, { code, message }: OAuthError): void {
  getRequestContext(response).failure = new AppError('INVALID_PARAMS', `${code}: ${message}`);
  // 401 is for clients that have tried to prove who they are; ours cannot.
  send(response, 400, { error: code, error_description: message });
}

/** A failure of other steps, as clients of OAuth read it. */
export function sendAsOAuthError(response: Response, error: AppError): void {
  getRequestContext(response).failure = error;
  const [status] = errorCodes[error.code];
  const code =
    status >= 500 ? 'server_error' : status === 429 ? 'temporarily_unavailable' : 'invalid_request';
  send(response, status, { error: code, error_description: error.message });
}

function send(response: Response, status: number, body: object): void {
  response
    .status(status)
    .type('json')
    .send(redactKeys(JSON.stringify(body)));
}
