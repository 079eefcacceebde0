import { errorCodes } from '@shelfwise/runtime/errors';
import { redactKeys } from '@shelfwise/runtime/log/redact-keys';
import type { RequestHandler, Response } from 'express';
import { getRequestContext } from '../middleware/request-context.ts';

/** Answers with an error of JSON-RPC that belongs to no request: clients of the protocol show its message. */
export function sendMcpError(response: Response, status: number, message: string): void {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null });
  response.status(status).type('json').send(redactKeys(body));
}

/** 400, 405 or 413, when an earlier step has found a problem. */
export const refuseMcpProblem: RequestHandler = (_request, response, next) => {
  const { problem } = getRequestContext(response);
  if (problem) sendMcpError(response, errorCodes[problem.code][0], problem.message);
  else next();
};
