import { AppError } from '@shelfwise/runtime/errors';
import type { RequestHandler } from 'express';
import { getRequestContext } from './request-context.ts';

/** The body of a stranger is short, or it is not read. The problem is recorded; a later step answers it. */
export function refuseLongBody(maxBytes: number): RequestHandler {
  return ({ headers }, response, next) => {
    const {
      'content-length': length = '0',
      'transfer-encoding': coding,
      'content-encoding': packed,
    } = headers;
    if (coding !== undefined || packed !== undefined || Number(length) > maxBytes)
      getRequestContext(response).problem = new AppError(
        'PAYLOAD_TOO_LARGE',
        `The body must have at most ${maxBytes} bytes, a Content-Length, and no Content-Encoding.`,
      );
    next();
  };
}
