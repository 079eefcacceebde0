import { AppError } from '@shelfwise/runtime/errors';
import type { Request, RequestHandler } from 'express';

/**
 * 403 for a call that a page of another site could have made the browser send, with its cookie. A form cannot set the header,
 * and a script of another site may not.
 */
export const requireOwnPage: RequestHandler = (request, _response, next) => {
  if (request.get('x-shelfwise-page') === '1' && isSameOrigin(request)) return next();
  throw new AppError('FOREIGN_PAGE', 'Only a page of this dashboard may make this call.');
};

/**
 * Browsers leave Sec-Fetch-Site out on plain HTTP beyond this machine. Then they send an Origin with every write, and with every
 * read of another site that has the header.
 */
function isSameOrigin({ headers, method }: Request): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site !== undefined) return site === 'same-origin';
  if (origin === undefined) return method === 'GET';
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}
