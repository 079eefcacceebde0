import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';

/** `styleSource`: of the only style that a page can have. */
const toContentSecurityPolicy = (styleSource: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styleSource}`,
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/**
 * In addition to those of every answer: no-store, nosniff and no-referrer. No other site embeds or holds a page.
 * @param style which the HTML of the pages has; another one in it is refused. null: there are no pages
 */
export function createDashboardHeaders(style: string | null): RequestHandler {
  const hash = style === null ? null : createHash('sha256').update(style).digest('base64');
  const headers = {
    'Content-Security-Policy': toContentSecurityPolicy(hash === null ? "'none'" : `'sha256-${hash}'`),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
  return (_request, response, next) => {
    response.set(headers);
    next();
  };
}
