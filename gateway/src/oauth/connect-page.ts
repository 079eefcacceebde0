import type { PageData } from '@shelfwise/dashboard/page-data';
import type { Assets } from '@shelfwise/dashboard/server/assets';
import type { Request } from 'express';
import {
  type CreateDashboardPages,
  createSendPage,
  type DashboardPage,
} from '../dashboard/dashboard-page.ts';
import { mapDatabaseError } from '../http/gateway-errors.ts';
import { requireFromContext } from '../middleware/request-context.ts';
import type { Caller } from '../routes/route/define-route.ts';
import { type AuthorizeRequest, answerTo, readAuthorizeRequest } from './authorize-request.ts';
import type { OAuth } from './create-oauth.ts';
import { OAuthError } from './oauth-error.ts';
import { redirectHostOf } from './redirect-uri.ts';

type Tools = Pick<Parameters<CreateDashboardPages>[0], 'readSession'>;

/**
 * The consent page, to which an assistant sends the browser. Of what is stored it changes only that no flood evicts the client. A person
 * who is not signed in signs in on the same page, whose address holds the request. It never redirects by itself: anyone can register an
 * address, and a redirect from this server would lend it trust.
 */
export function createConnectPage(deps: {
  oauth: OAuth;
  /** What the head of each page loads; null: the pages are not built. */
  head: Assets['head'] | null;
}): (tools: Tools) => DashboardPage {
  const { oauth } = deps;
  const sendPage = createSendPage(deps.head);

  return ({ readSession }) => ({
    path: '/connect',
    isPublic: true,
    async answer(request, response) {
      // An assistant may open it in a window of its own and wait for its end. It is in no frame, as every page.
      response.set('Cross-Origin-Opener-Policy', 'unsafe-none');
      const session = await readSession(request, response);
      if (!session)
        return sendPage(response, { page: 'sign-in', frame: null, model: { isForConnection: true } });
      const caller = requireFromContext(response, 'caller');
      const wanted = await readRequest(oauth, request, caller);
      const { client } = wanted;
      if (client && !client.isDocument) await mapDatabaseError(oauth.clients.noteShown(client.id));
      sendPage(response, {
        page: 'connect',
        frame: null,
        model: toModel(wanted, session.account.email, oauth.issuer()),
      });
    },
  });
}

function readRequest(oauth: OAuth, { originalUrl }: Request, caller: Caller): Promise<AuthorizeRequest> {
  const at = originalUrl.indexOf('?');
  return readConnectRequest(oauth, at < 0 ? '' : originalUrl.slice(at + 1), caller);
}

/** The request in an address of the consent page. A plan without API access has no connections. */
export async function readConnectRequest(
  oauth: OAuth,
  query: string,
  { account, plan }: Caller,
): Promise<AuthorizeRequest> {
  const request = await readAuthorizeRequest(query, {
    resource: oauth.resource(),
    findClient: (id) => mapDatabaseError(oauth.findClient(id, account.id)),
  });
  if (request.client === null || request.problem !== null || plan.api_access) return request;
  return { ...request, problem: new OAuthError('access_denied', notInPlan) };
}

const notInPlan = 'The plan of this account does not include assistants.';

type ConnectModel = Extract<PageData, { page: 'connect' }>['model'];

function toModel(request: AuthorizeRequest, email: string, issuer: string): ConnectModel {
  if (request.client === null) return { email, state: 'unknown', message: request.message };
  const { client, redirectUri, problem } = request;
  const denied = problem ?? new OAuthError('access_denied', 'The request was declined.');
  const shown = {
    email,
    client: client.name,
    provenHost: client.isDocument ? new URL(client.id).host : null,
    redirectHost: redirectHostOf(redirectUri),
    declineUrl: answerTo(request, { problem: denied }, issuer),
  };
  if (problem) return { ...shown, state: 'refused', message: problem.message };
  const { scopes, asksToWrite } = request;
  return { ...shown, state: 'asking', canWrite: scopes.includes('write'), asksToWrite };
}
