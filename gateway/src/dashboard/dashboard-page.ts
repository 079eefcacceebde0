import type { RequestHandler } from 'express';
import type { PublicPage } from '../routes/route/define-route.ts';
import type { CallAsSession } from './call-as-session.ts';
import type { ReadSession } from './require-session.ts';

/** A page; its path is the one after /dashboard. One that is not public is only answered to a session, which is in its request context. */
export type DashboardPage = PublicPage & { isPublic: boolean };

/** Makes the pages from what they may use of the gateway. */
export type CreateDashboardPages = (tools: {
  readSession: ReadSession;
  callAsSession: CallAsSession;
}) => readonly DashboardPage[];

const signInPath = '/dashboard/sign-in';

/** Leads a browser without a session to the page that starts one, unless its address does so too often. */
export function leadToSignIn(readSession: ReadSession, pageLimit: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    if (await readSession(request, response)) return next();
    return pageLimit(request, response, (error?: unknown) =>
      error === undefined ? response.redirect(signInPath) : next(error),
    );
  };
}
