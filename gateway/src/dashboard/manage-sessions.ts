import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Accounts } from '../accounts/accounts.ts';
import { badRequest, mapDatabaseError } from '../http/gateway-errors.ts';
import { requireFromContext } from '../middleware/request-context.ts';
import type { ReadSession } from './require-session.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';

/** An older session must sign in again before it replaces the key. */
const freshMs = 10 * 60_000;
/** The clocks of two gateways may differ by as much. */
const clockSkewMs = 60_000;

const prefixBody = z.strictObject({ key_prefix: z.string() });
const shortcutsBody = z.strictObject({ has_shortcuts: z.boolean() });

/** The last steps of the calls that show and end sessions, and that replace the key. */
export function createManageSessions(deps: {
  accounts: Pick<Accounts, 'regenerateKey' | 'setHasShortcuts'>;
  sessions: Sessions;
  cookie: SessionCookie;
  readSession: ReadSession;
  now: () => Date;
}) {
  const { accounts, sessions, cookie, readSession, now } = deps;

  /** A clock that was set back makes no session fresh for longer. */
  const isFresh = (createdAt: Date) => {
    const ageMs = now().getTime() - createdAt.getTime();
    return ageMs <= freshMs && ageMs > -clockSkewMs;
  };

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
    if (!isFresh(createdAt)) throw sessionTooOld();
    if (body.data.key_prefix !== account.keyPrefix) throw wrongPrefix();
    const { key } = await mapDatabaseError(
      accounts.regenerateKey({ id: account.id, version: account.version }).catch(explainChange),
    );
    // The others have ended with the version of the account. If this one cannot be kept, the key must be shown all the same.
    await sessions.keepOnly(session).catch(() => cookie.clear(response));
    response.json({ data: { key } });
  };

  /** Whether letters are shortcuts, in all browsers of the account. */
  const setShortcuts: RequestHandler = async (request, response) => {
    const body = shortcutsBody.safeParse(request.body);
    if (!body.success)
      throw badRequest('The body must be {"has_shortcuts": true} or {"has_shortcuts": false}.');
    const { account } = requireFromContext(response, 'session');
    await mapDatabaseError(accounts.setHasShortcuts(account.id, body.data.has_shortcuts));
    response.json({ data: body.data });
  };

  return { signOut, list, end, replaceKey, setShortcuts };
}

function sessionTooOld(): AppError {
  return new AppError(
    'SESSION_TOO_OLD',
    'Sign out and in again: a key is replaced within ten minutes of a sign-in.',
  );
}

/** Another tab or the operator has changed the account since this call has read it. */
function explainChange(error: unknown): never {
  throw error instanceof AppError && error.code === 'NOT_FOUND' ? wrongPrefix() : error;
}

function wrongPrefix(): AppError {
  return invalidParams({ key_prefix: 'must be the first twelve characters of the current key' });
}
