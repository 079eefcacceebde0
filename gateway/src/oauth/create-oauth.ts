import type { Connection } from 'mongoose';
import type { Accounts } from '../accounts/accounts.ts';
import type { Plans } from '../plans/plans.ts';
import { createAccessTokens } from './access-tokens.ts';
import { createCallCredentials } from './call-credentials.ts';
import { createClientDocuments, type GetDocument, isDocumentId } from './client-documents.ts';
import { createClientStore, type OAuthClient } from './client-store.ts';
import { createGrants } from './grants.ts';

export type OAuth = ReturnType<typeof createOAuth>;

/**
 * The OAuth server for assistants that connect without a key: its clients, what accounts have allowed them, and the tokens.
 * @param deps.publicUrl where browsers and assistants reach this server, without a slash at its end
 */
export function createOAuth(deps: {
  connection: Connection;
  accounts: Accounts;
  plans: Plans;
  publicUrl: () => string;
  getDocument?: GetDocument | undefined;
  now: () => Date;
}) {
  const { connection, accounts, plans, publicUrl, now } = deps;
  const resource = () => `${publicUrl()}/mcp`;
  const clients = createClientStore({ connection, now });
  const documents = createClientDocuments({ get: deps.getDocument });
  const tokens = createAccessTokens({ connection, accounts, resource, now });
  const grants = createGrants({ connection, accounts, plans, tokens, resource, now });
  const calls = createCallCredentials({ connection, accounts, tokens, now });

  return {
    issuer: publicUrl,
    resource,
    clients,
    tokens,
    grants,
    calls,
    /** @param accountId of the person who is signed in */
    async findClient(id: string, accountId: string): Promise<OAuthClient | { message: string }> {
      if (isDocumentId(id)) return documents.read(id, accountId);
      return (await clients.find(id)) ?? { message: unknownClient };
    },
    /** What is kept of accounts. Calls come first: without a token they are good for nothing. */
    owned: [calls, grants, tokens],
    expiring: [clients, grants, tokens, calls],
  };
}

const unknownClient =
  'This assistant is not registered here, or not any more. Remove its connection there, and connect again.';

/**
 * Whether assistants from elsewhere can connect: they and browsers must reach a stated address by https, or all of them run on this
 * machine.
 */
export function canConnect(publicUrl: string | undefined): boolean {
  if (publicUrl === undefined) return false;
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
