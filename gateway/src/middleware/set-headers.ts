import type { RequestHandler, Response } from 'express';

/**
 * Headers of every answer. Answers belong to one key, so that nothing may keep them; a browser must neither guess
 * types, nor frame a page, nor pass on an address that may hold a key. There are no CORS headers: a key in a web
 * page is a key given away. Who is about to stop ends each connection with its next answer,
 * also with that to a request which came before.
 */
export function setHeaders({ isDraining }: { isDraining: () => boolean }): RequestHandler {
  return (_request, response, next) => {
    response.set({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
    beforeHead(response, () => {
      if (isDraining()) response.set('Connection', 'close');
    });
    next();
  };
}

/** Node writes the head of every answer by `writeHead`, once: the last moment at which a header can be set. */
function beforeHead(response: Response, act: () => void): void {
  const { writeHead } = response;
  response.writeHead = ((...head: Parameters<typeof writeHead>) => {
    act();
    return writeHead.apply(response, head);
  }) as typeof writeHead;
}
