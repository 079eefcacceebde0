import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { RequestHandler } from 'express';
import { type ContentCoding, chooseCoding, maxPlainBytes } from '../http/content-coding.ts';

/**
 * @param isKept by browsers for long: brotli has its highest quality, 11, which takes twenty times as long as 9 and saves 8 %
 */
function compress(
  body: Buffer,
  coding: Exclude<ContentCoding, 'identity'>,
  isKept: boolean,
): Promise<Buffer> {
  if (coding === 'gzip') return promisify(gzip)(body, { level: 9 });
  return promisify(brotliCompress)(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: isKept ? 11 : 9,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}

/**
 * Answers with one public document that never changes while the process runs. All answers share the same bytes. Each form is
 * made by the first request for it, and no file is open while an answer is sent.
 */
export function answerPrepared(
  createBody: () => Buffer | Promise<Buffer>,
  {
    type,
    maxAgeSeconds,
    isImmutable = false,
  }: { type: string; maxAgeSeconds: number; isImmutable?: boolean },
): RequestHandler {
  let preparing: ReturnType<typeof prepare> | undefined;
  const compressed = new Map<ContentCoding, Promise<Buffer>>();

  async function prepare() {
    const body = await createBody();
    const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22);
    return { body, digest, isCompressed: body.length > maxPlainBytes && !type.startsWith('image/') };
  }

  async function formOf(coding: ContentCoding, body: Buffer): Promise<Buffer> {
    if (coding === 'identity') return body;
    const form = compressed.get(coding) ?? compress(body, coding, isImmutable);
    compressed.set(coding, form);
    // The next request tries again.
    form.catch(() => compressed.delete(coding));
    return form;
  }

  return async (request, response) => {
    preparing ??= prepare().catch((error: unknown) => {
      // The next request tries again.
      preparing = undefined;
      throw error;
    });
    const { body, digest, isCompressed } = await preparing;
    const coding = isCompressed ? chooseCoding(request) : 'identity';
    response.set({
      'Cache-Control': `public, max-age=${maxAgeSeconds}${isImmutable ? ', immutable' : ''}`,
      // A strong validator differs for every form.
      ETag: `"${digest}${coding === 'identity' ? '' : `-${coding}`}"`,
    });
    if (isCompressed) response.vary('Accept-Encoding');
    if (request.fresh) {
      response.status(304).end();
      return;
    }
    const form = await formOf(coding, body);
    if (coding !== 'identity') response.set('Content-Encoding', coding);
    response.set({ 'Content-Type': type, 'Content-Length': String(form.length) });
    response.end(form);
  };
}
