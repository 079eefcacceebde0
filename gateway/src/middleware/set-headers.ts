import type { RequestHandler, Response } from 'express';
import { dropUnreadBody, hasUnreadBody } from '../http/unread-body.ts';

/**
 * Headers of every answer. Answers belong to one key, so nothing may cache them. A browser must not guess types, frame
 * a page, or pass on an address that may contain a key. There are no CORS headers: a key in a web page is public. While
 * draining, every answer closes its connection, including answers to requests that arrived before the drain. So does
 * an answer to a request whose body was not read.
 */
export function setHeaders({ isDraining }: { isDraining: () => boolean }): RequestHandler {
  return (request, response, next) => {
    response.set({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
    beforeWriteHead(response, () => {
      const isUnread = hasUnreadBody(request);
      if (isUnread) dropUnreadBody(request);
      if (isUnread || isDraining()) response.set('Connection', 'close');
    });
    next();
  };
}

/** Node calls `writeHead` once per answer: the last moment at which a header can be set. */
function beforeWriteHead(response: Response, setLateHeaders: () => void): void {
  const { writeHead } = response;
  response.writeHead = ((...head: Parameters<typeof writeHead>) => {
    setLateHeaders();
    return writeHead.apply(response, head);
  }) as typeof writeHead;
}
