import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AppError } from '@shelfwise/runtime/errors';
import type { Request, RequestHandler } from 'express';
import getRawBody from 'raw-body';
import { badRequest } from '../http/gateway-errors.ts';
import { hasBody } from '../http/unread-body.ts';
import { getRequestContext } from './request-context.ts';

const maxBodyBytes = 256 * 1024;

/**
 * Reads the JSON body of a route that takes one: at most 256 KiB, before and after decompression. A body over this limit is
 * not read further. A problem is recorded, not answered: the rate windows come first, and a request with an earlier
 * problem is not read. The body of a route that takes none is measured and dropped.
 */
export function readBody(takesBody: boolean): RequestHandler {
  return readWith(takesBody ? readJson : measure);
}

/** The same for a form, as `URLSearchParams`; undefined without a body. */
export const readForm: RequestHandler = readWith(readFormFields);

function readWith(read: (request: Request) => Promise<unknown>): RequestHandler {
  return (request, response, next) => {
    const context = getRequestContext(response);
    if (context.problem || !hasBody(request)) return next();
    if (Number(request.get('content-length') ?? 0) > maxBodyBytes) {
      context.problem = tooLarge();
      return next();
    }
    if (waitsForContinue(request)) response.writeContinue();
    return read(request)
      .then(
        (body) => {
          request.body = body;
        },
        (error: unknown) => {
          context.problem = toProblem(error);
        },
      )
      .then(() => next());
  };
}

/** Whether the client sends the body only when it is asked for it. */
function waitsForContinue({ headers, httpVersion }: Request): boolean {
  return httpVersion === '1.1' && asksToContinue.test(headers.expect ?? '');
}

/** As Node reads the header, which may be sent twice: what Node does not ask for, this module must. */
const asksToContinue = /(?:^|\W)100-continue(?:$|\W)/i;

async function readJson(request: Request): Promise<unknown> {
  if (!request.is(jsonContentTypes)) throw badRequest('Content-Type must be application/json.');
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(request.get('content-type') ?? '')?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') throw notUtf8();
  const bytes = await readDecompressed(request);
  return bytes.length === 0 ? {} : parseJson(bytes);
}

const jsonContentTypes = ['application/json', 'application/*+json'];

async function readFormFields(request: Request): Promise<URLSearchParams> {
  if (!request.is('application/x-www-form-urlencoded'))
    throw badRequest('Content-Type must be application/x-www-form-urlencoded.');
  return new URLSearchParams((await readDecompressed(request)).toString('utf8'));
}

async function measure(request: Request): Promise<void> {
  await getRawBody(request, { length: request.get('content-length') ?? null, limit: maxBodyBytes });
}

const decompressors: Readonly<Record<string, () => Readable & NodeJS.WritableStream>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

async function readDecompressed(request: Request): Promise<Buffer> {
  const encoding = request.get('content-encoding')?.toLowerCase() ?? 'identity';
  const length = request.get('content-length') ?? null;
  if (encoding === 'identity') return getRawBody(request, { length, limit: maxBodyBytes });

  const decompressor = Object.hasOwn(decompressors, encoding) ? decompressors[encoding]?.() : undefined;
  if (!decompressor) throw badRequest('This Content-Encoding is not supported. Use gzip, deflate or br.');
  const abort = () => decompressor.destroy(new Error('the request was aborted'));
  let received = 0;
  // Compressed data may be endless although it has no content.
  const count = (chunk: Buffer) => {
    received += chunk.length;
    if (received > maxBodyBytes) decompressor.destroy(tooLarge());
  };
  request.once('error', abort).once('aborted', abort).on('data', count);
  try {
    return await getRawBody(request.pipe(decompressor), { limit: maxBodyBytes });
  } finally {
    request.off('error', abort).off('aborted', abort).off('data', count);
    request.unpipe(decompressor);
    decompressor.on('error', () => {}).destroy();
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw error instanceof SyntaxError ? badRequest('The body is not valid JSON.') : notUtf8();
  }
}

/** Errors of the stream have a `type`; their messages may quote the body and are not passed on. */
function toProblem(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const type = error instanceof Error ? (error as Error & { type?: unknown }).type : undefined;
  if (type === 'entity.too.large') return tooLarge();
  return badRequest('The body could not be read.');
}

function tooLarge(): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `The body must have at most ${maxBodyBytes / 1024} KiB.`);
}

function notUtf8(): AppError {
  return badRequest('The body must be UTF-8.');
}
