import type { RequestHandler } from 'express';

/**
 * Headers of every answer. Answers belong to one key, so that nothing may keep them; a browser must neither guess
 * types, nor frame a page, nor pass on an address that may hold a key. There are no CORS headers: a key in a web
 * page is a key given away. Who is about to stop ends each connection with its next answer.
 */
export function setHeaders({ isDraining }: { isDraining: () => boolean }): RequestHandler {
  return (_request, response, next) => {
    response.set({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      ...(isDraining() && { Connection: 'close' }),
    });
    next();
  };
}
