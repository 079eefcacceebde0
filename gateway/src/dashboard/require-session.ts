import type { Request, RequestHandler, Response } from 'express';
import type { ConnectionUse } from '../http/connection-use.ts';
import { mapDatabaseError, sessionRequired } from '../http/gateway-errors.ts';
import type { RefuseUnknown } from '../middleware/authenticate.ts';
import { getRequestContext } from '../middleware/request-context.ts';
import { findPlan, type Plans } from '../plans/plans.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { Session, Sessions } from './sessions.ts';

/** Finds the session of a request and makes its account the caller; null without one. */
export type ReadSession = (request: Request, response: Response) => Promise<Session | null>;

export function createReadSession(deps: {
  sessions: Pick<Sessions, 'find'>;
  cookie: SessionCookie;
  plans: Plans;
  connectionUse: Pick<ConnectionUse, 'noteValidKey'>;
}): ReadSession {
  const { sessions, cookie, plans, connectionUse } = deps;
  return async (request, response) => {
    const secret = cookie.read(request);
    const session = secret === null ? null : await mapDatabaseError(sessions.find(secret));
    if (!session) return null;
    connectionUse.noteValidKey(request.socket);
    const { account } = session;
    Object.assign(getRequestContext(response), {
      session,
      caller: { account, plan: findPlan(plans, account.plan) },
    });
    return session;
  };
}

/** 401 without a session, counted as a call without a valid key. The plan needs no API access. */
export function requireSession(readSession: ReadSession, refuseUnknown: RefuseUnknown): RequestHandler {
  return async (request, response, next) => {
    if (await readSession(request, response)) return next();
    await refuseUnknown(request, response, sessionRequired());
  };
}
