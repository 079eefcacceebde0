import { AppError } from '@shelfwise/runtime/errors';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { badRequest, mapDatabaseError } from '../http/gateway-errors.ts';
import { requireFromContext } from '../middleware/request-context.ts';
import { answerTo } from './authorize-request.ts';
import { readConnectRequest } from './connect-page.ts';
import type { OAuth } from './create-oauth.ts';

const consentBody = z.strictObject({
  /** the query of the consent page's address */
  query: z.string().max(12_000),
  /** Whether the assistant may also use tools that change something. */
  can_write: z.boolean(),
});

/** The last steps of the calls by which an account allows, lists and ends connections. */
export function createManageConnections(oauth: OAuth) {
  const { grants, clients } = oauth;

  /** Answers with the address to which the page goes. It holds the code, and is in no header that a log or another site sees. */
  const allow: RequestHandler = async (request, response) => {
    const caller = requireFromContext(response, 'caller');
    const body = consentBody.safeParse(request.body);
    if (!body.success) throw badRequest('The body must be {"query": "...", "can_write": false}.');
    // Read again, not taken from the page: what is allowed is what the request says now.
    const wanted = await readConnectRequest(oauth, body.data.query, caller);
    if (wanted.client === null) throw badRequest(wanted.message);
    if (wanted.problem) throw badRequest(wanted.problem.message);
    const { client, redirectUri, codeChallenge, resource } = wanted;
    const scopes = body.data.can_write ? wanted.scopes : wanted.scopes.filter((scope) => scope === 'read');
    const accountId = caller.account.id;
    const code = await mapDatabaseError(
      grants.createCode({ accountId, client, redirectUri, codeChallenge, resource, scopes }),
    );
    if (!client.isDocument) await mapDatabaseError(clients.noteUse(client.id));
    response.json({ data: { address: answerTo(wanted, { code }, oauth.issuer()) } });
  };

  const list: RequestHandler = async (_request, response) => {
    const { account } = requireFromContext(response, 'session');
    response.json({ data: await mapDatabaseError(grants.list(account.id)) });
  };

  const end: RequestHandler = async (request, response) => {
    const { account } = requireFromContext(response, 'session');
    const hasEnded = await mapDatabaseError(grants.end(account.id, String(request.params.id)));
    if (!hasEnded) throw new AppError('NOT_FOUND', 'The account has no connection with this id.');
    response.json({ data: { ended: true } });
  };

  const endAll: RequestHandler = async (_request, response) => {
    const { account } = requireFromContext(response, 'session');
    response.json({ data: { ended: await mapDatabaseError(grants.endAll(account.id)) } });
  };

  return { allow, list, end, endAll };
}
