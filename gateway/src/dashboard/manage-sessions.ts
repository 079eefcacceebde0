import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Accounts } from '../accounts/accounts.ts';
import { badRequest, mapDatabaseError, sessionRequired } from '../http/gateway-errors.ts';
import { requireFromContext } from '../middleware/request-context.ts';
import type { ReadSession } from './require-session.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';

/** An older session must sign in again before it replaces the key. */
const freshMs = 10 * 60_000;

const prefixBody = z.strictObject({ key_prefix: z.string() });
const keysBody = z.strictObject({ are_on: z.boolean() });

/** The last steps of the calls that show and end sessions, and that replace the key. */
export function createManageSessions(deps: {
  accounts: Pick<Accounts, 'regenerateKey' | 'setHasKeys'>;
  sessions: Sessions;
  cookie: SessionCookie;
  readSession: ReadSession;
  now: () => Date;
}) {
  const { accounts, sessions, cookie, readSession, now } = deps;

  const signOut: RequestHandler = async (request, response) => {
    const session = await readSession(request, response);
    if (session) await mapDatabaseError(sessions.end(session.account.id, session.id));
    cookie.clear(response);
    response.json({ data: { signed_out: true } });
  };

  const list: RequestHandler = async (_request, response) => {
    const session = requireFromContext(response, 'session');
    const rows = await mapDatabaseError(sessions.list(session));
    response.json({ data: rows.map((row) => ({ ...row, is_current: row.id === session.id })) });
  };

  const end: RequestHandler = async (request, response) => {
    const session = requireFromContext(response, 'session');
    const id = String(request.params.id);
    const hasEnded = await mapDatabaseError(sessions.end(session.account.id, id));
    if (!hasEnded) throw new AppError('NOT_FOUND', 'The account has no session with this id.');
    if (id === session.id) cookie.clear(response);
    response.json({ data: { ended: true } });
  };

  /** The new key is in this answer only. All other sessions of the account end. */
  const replaceKey: RequestHandler = async (request, response) => {
    const session = requireFromContext(response, 'session');
    const { account, createdAt } = session;
    const body = prefixBody.safeParse(request.body);
    if (!body.success) throw badRequest('The body must be {"key_prefix": "..."}.');
    if (now().getTime() - createdAt.getTime() > freshMs)
      throw sessionRequired('Sign in again: a key is replaced within ten minutes of a sign-in.');
    if (body.data.key_prefix !== account.keyPrefix) throw wrongPrefix();
    const { key } = await mapDatabaseError(
      accounts.regenerateKey({ id: account.id, version: account.version }).catch(explainChange),
    );
    await mapDatabaseError(sessions.keepOnly(session));
    response.json({ data: { key } });
  };

  /** Whether letters are shortcuts, in all browsers of the account. */
  const setKeys: RequestHandler = async (request, response) => {
    const body = keysBody.safeParse(request.body);
    if (!body.success) throw badRequest('The body must be {"are_on": true} or {"are_on": false}.');
    const { account } = requireFromContext(response, 'session');
    await mapDatabaseError(accounts.setHasKeys(account.id, body.data.are_on));
    response.json({ data: body.data });
  };

  return { signOut, list, end, replaceKey, setKeys };
}

/** Another tab or the operator has changed the account since this call has read it. */
function explainChange(error: unknown): never {
  throw error instanceof AppError && error.code === 'NOT_FOUND' ? wrongPrefix() : error;
}

function wrongPrefix(): AppError {
  return invalidParams({ key_prefix: 'must be the first twelve characters of the present key' });
}
