import { isUtf8 } from 'node:buffer';
import { AppError } from '@shelfwise/runtime/errors';
import express, { type Request, type RequestHandler } from 'express';
import { badRequest } from '../http/gateway-errors.ts';
import { getRequestContext } from './request-context.ts';

const maxBodyBytes = 256 * 1024;

/**
 * Reads the JSON body of a route that takes one: at most 256 KiB, also after decompression. A problem is recorded, not
 * answered: the rate windows come first. The body of a route that takes none is measured and dropped.
 */
export function readBody(takesBody: boolean): RequestHandler {
  const read = takesBody
    ? express.json({ limit: maxBodyBytes, strict: false, type: jsonContentTypes, verify: requireUtf8 })
    : express.raw({ limit: maxBodyBytes, type: () => true });

  return (request, response, next) => {
    if (takesBody && hasBody(request) && !request.is(jsonContentTypes)) {
      getRequestContext(response).problem = badRequest('Content-Type must be application/json.');
      next();
      return;
    }
    read(request, response, (error: unknown) => {
      if (error) getRequestContext(response).problem = toProblem(error);
      if (!takesBody) request.body = undefined;
      next();
    });
  };
}

const jsonContentTypes = ['application/json', 'application/*+json'];

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Called with the decompressed bytes, before they are decoded: other encodings would be decoded wrongly. */
function requireUtf8(_request: unknown, _response: unknown, bytes: Buffer, charset: string): void {
  if (charset !== 'utf-8' || !isUtf8(bytes)) throw new Error('not UTF-8');
}

/** body-parser's errors have a `type`; their messages may quote the body and are not passed on. */
function toProblem(error: unknown): AppError {
  const type = error instanceof Error ? (error as Error & { type?: unknown }).type : undefined;
  if (type === 'entity.too.large')
    return new AppError('PAYLOAD_TOO_LARGE', `The body must have at most ${maxBodyBytes / 1024} KiB.`);
  if (type === 'entity.parse.failed') return badRequest('The body is not valid JSON.');
  if (type === 'charset.unsupported' || type === 'entity.verify.failed')
    return badRequest('The body must be UTF-8.');
  if (type === 'encoding.unsupported')
    return badRequest('This Content-Encoding is not supported. Use gzip, deflate or br.');
  return badRequest('The body could not be read.');
}
