import { isUtf8 } from 'node:buffer';
import { AppError } from '@shelfwise/runtime/errors';
import express, { type Request, type RequestHandler } from 'express';
import { badRequest } from './bad-request.ts';
import { exchangeOf } from './exchange.ts';

const maxBodyBytes = 256 * 1024;

/**
 * Reads the JSON body of a route that takes one, at most 256 KiB of it, also after unpacking. What is wrong with it is
 * noted, not answered: the rate windows come first. A body that nobody wants is measured and dropped.
 */
export function readBody(takesBody: boolean): RequestHandler {
  const read = takesBody
    ? express.json({ limit: maxBodyBytes, strict: false, type: jsonTypes, verify: requireUtf8 })
    : express.raw({ limit: maxBodyBytes, type: () => true });

  return (request, response, next) => {
    if (takesBody && hasBody(request) && !request.is(jsonTypes)) {
      exchangeOf(response).problem = badRequest('Content-Type must be application/json.');
      next();
      return;
    }
    read(request, response, (error: unknown) => {
      if (error) exchangeOf(response).problem = toProblem(error);
      if (!takesBody) request.body = undefined;
      next();
    });
  };
}

const jsonTypes = ['application/json', 'application/*+json'];

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Called with the unpacked bytes, before they become text: what is not UTF-8 would be read as something else. */
function requireUtf8(_request: unknown, _response: unknown, bytes: Buffer, charset: string): void {
  if (charset !== 'utf-8' || !isUtf8(bytes)) throw new Error('not UTF-8');
}

/** body-parser's errors bear a `type`; their messages may quote the body and are not passed on. */
function toProblem(error: unknown): AppError {
  const type = error instanceof Error ? (error as Error & { type?: unknown }).type : undefined;
  if (type === 'entity.too.large')
    return new AppError('PAYLOAD_TOO_LARGE', `The body may have ${maxBodyBytes / 1024} KiB at most.`);
  if (type === 'entity.parse.failed') return badRequest('The body is not valid JSON.');
  if (type === 'charset.unsupported' || type === 'entity.verify.failed')
    return badRequest('The body must be UTF-8.');
  if (type === 'encoding.unsupported')
    return badRequest('This Content-Encoding is not known; gzip, deflate and br are.');
  return badRequest('The body could not be read.');
}
