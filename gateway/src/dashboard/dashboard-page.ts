import type { PageData } from '@shelfwise/dashboard/page-data';
import type { Assets } from '@shelfwise/dashboard/server/assets';
import { renderFrame } from '@shelfwise/dashboard/server/frame';
import type { RequestHandler, Response } from 'express';
import { prefersHtml } from '../http/answer-format.ts';
import { sessionRequired } from '../http/gateway-errors.ts';
import { getRequestContext } from '../middleware/request-context.ts';
import type { PublicPage } from '../routes/route/define-route.ts';
import type { CallAsSession } from './call-as-session.ts';
import type { ReadSession } from './require-session.ts';

/** A page; its path is the one after /dashboard. One that is not public is only answered to a session, which is in its request context. */
export type DashboardPage = PublicPage & {
  isPublic: boolean;
  /** Answers without a limit what costs next to nothing, and leaves the rest to `answer`. */
  answerAtOnce?: RequestHandler;
};

/** Makes the pages from what they may use of the gateway. */
export type CreateDashboardPages = (tools: { readSession: ReadSession; callAsSession: CallAsSession }) => {
  pages: readonly DashboardPage[];
  sendProblem: SendPageProblem | null;
};

/** Answers with a page that says what failed. The status and headers of the response are set. */
type SendPageProblem = (response: Response, message: string) => void;

/** @param head of the pages; null: they are not built */
export function createSendPage(head: Assets['head'] | null): (response: Response, data: PageData) => void {
  return (response, data) => {
    if (!head) throw new Error('the pages of the dashboard are not built: run npm run build');
    response.type('html').send(renderFrame(data, head));
  };
}

/** Scripts call these paths, and read JSON. */
const callPaths = /^\/(api|key|sessions?|connections)(\/|$)/;

/** Errors are pages for a browser that opens a page, and JSON for everything else. */
export function showProblems(sendProblem: SendPageProblem | null): RequestHandler {
  return (request, response, next) => {
    if (
      sendProblem &&
      /^(GET|HEAD)$/.test(request.method) &&
      !callPaths.test(request.path) &&
      prefersHtml(request)
    )
      getRequestContext(response).sendProblem = (message) => sendProblem(response, message);
    next();
  };
}

const signInPath = '/dashboard/sign-in';

/**
 * Leads a browser without a session to the page that starts one, unless its address does so too often. A script of a page that
 * reads it again gets 401.
 */
export function leadToSignIn(readSession: ReadSession, pageLimit: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    if (await readSession(request, response)) return next();
    return pageLimit(request, response, (error?: unknown) => {
      if (error !== undefined) next(error);
      else if (request.accepts(['html', 'json']) === 'json') next(sessionRequired());
      else response.redirect(signInPath);
    });
  };
}
