import { withoutInvisible } from '@shelfwise/facts/text/invisible-characters';
import { AppError } from '@shelfwise/runtime/errors';
import { redactKeys } from '@shelfwise/runtime/log/redact-keys';
import type { RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { Account, Accounts } from '../accounts/accounts.ts';
import { badRequest, invalidKey, mapDatabaseError } from '../http/gateway-errors.ts';
import { type RefuseUnknown, refusalOf } from '../middleware/authenticate.ts';
import { getRequestContext, requireFromContext } from '../middleware/request-context.ts';
import { findPlan, type Plans } from '../plans/plans.ts';
import type { ReadSession } from './require-session.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';
import type { SignInLinks } from './sign-in-links.ts';

const keyBody = z.strictObject({ key: z.string() });
const codeBody = z.strictObject({ code: z.string() });

export type SignIn = ReturnType<typeof createSignIn>;

/** The steps of the two ways in: by the account's key, and by a link that is good for one use. */
export function createSignIn(deps: {
  accounts: Pick<Accounts, 'findByKey' | 'read'>;
  sessions: Sessions;
  links: Pick<SignInLinks, 'find' | 'use'>;
  cookie: SessionCookie;
  plans: Plans;
  readSession: ReadSession;
  refuseUnknown: RefuseUnknown;
}) {
  const { accounts, sessions, links, cookie, plans, readSession, refuseUnknown } = deps;

  function setCaller(response: Response, account: Account): void {
    getRequestContext(response).caller = { account, plan: findPlan(plans, account.plan) };
  }

  const findByKey: RequestHandler = async (request, response, next) => {
    const body = keyBody.safeParse(request.body);
    if (!body.success) return refuseUnknown(request, response, wrongBody(response, 'key'));
    const key = withoutInvisible(body.data.key).trim();
    const account = await mapDatabaseError(accounts.findByKey(key));
    if (!account) return refuseUnknown(request, response, refusalOf(key));
    setCaller(response, account);
    next();
  };

  const findByCode: RequestHandler = async (request, response, next) => {
    const body = codeBody.safeParse(request.body);
    if (!body.success) return refuseUnknown(request, response, wrongBody(response, 'code'));
    const account = await mapDatabaseError(links.find(body.data.code));
    if (!account) return refuseUnknown(request, response, invalidCode());
    setCaller(response, account);
    next();
  };

  /** Whom the link would sign in. A person confirms it, so that a stranger's link starts no session unseen. */
  const showAccount: RequestHandler = (_request, response) => {
    response.json({ data: { email: requireFromContext(response, 'caller').account.email } });
  };

  const useCode: RequestHandler = async (request, response, next) => {
    const { code } = codeBody.parse(request.body);
    if (await mapDatabaseError(links.use(code))) return next();
    await refuseUnknown(request, response, invalidCode());
  };

  const start: RequestHandler = async (request, response) => {
    const caller = requireFromContext(response, 'caller');
    const { account } = caller;
    const state = await mapDatabaseError(accounts.read({ id: account.id }));
    // The key may have been replaced since it was looked up.
    if (state?.keyVersion !== account.keyVersion) throw invalidKey();
    const previous = await readSession(request, response);
    getRequestContext(response).caller = caller;
    const label = redactKeys(request.get('user-agent') ?? '');
    cookie.set(response, await mapDatabaseError(sessions.start(state, label)));
    if (previous) await mapDatabaseError(sessions.end(previous.account.id, previous.id));
    response.json({ data: { email: state.email, plan: state.plan } });
  };

  return {
    findByKey,
    findByCode,
    showAccount,
    useCode,
    start,
  };
}

/** Also for a code that was used, has expired or never existed: a stranger learns nothing from it. */
function invalidCode(): AppError {
  const message = 'This sign-in link is not valid. It works once, for ten minutes. Ask for a new one.';
  return new AppError('SESSION_REQUIRED', message);
}

function wrongBody(response: Response, field: string): AppError {
  return getRequestContext(response).problem ?? badRequest(`The body must be {"${field}": "..."}.`);
}
