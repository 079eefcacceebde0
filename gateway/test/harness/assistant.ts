import { createHash, randomBytes } from 'node:crypto';
import type { GatewayDeps } from '../../src/gateway.ts';
import { type Browser, openBrowser } from './browser.ts';
import type { ApiAnswer, useGateway } from './use-gateway.ts';

type Api = Pick<ReturnType<typeof useGateway>, 'call'>;

export const publicUrl = 'https://aso.example';
export const resource = `${publicUrl}/mcp`;
export const redirectUri = 'https://assistant.example/callback';

/** An assistant server that answers what it was given. */
export const echoEndpoint: NonNullable<GatewayDeps['mcp']> = {
  endpoint: {
    async serve({ headers }, response, { key, body }) {
      response.json({
        key,
        body,
        account: headers['x-shelfwise-account'],
        scope: headers['x-shelfwise-scope'] ?? null,
        metadata: headers['x-shelfwise-resource-metadata'] ?? null,
        requestId: headers['x-request-id'],
      });
    },
  },
  hosts: ['localhost'],
};

export type Pkce = { verifier: string; challenge: string };

export function createPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

export type Tokens = { access_token: string; refresh_token: string; scope: string; expires_in: number };

/** A program that connects as the specification of the protocol says. `from` is its address. */
export function openAssistant(api: Api, { from = '10.9.0.1' }: { from?: string } = {}) {
  const headers = { 'x-forwarded-for': from };
  const postForm = (path: string, fields: Record<string, string>): Promise<ApiAnswer> =>
    api.call('POST', path, {
      key: null,
      raw: new URLSearchParams(fields).toString(),
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    });

  const assistant = {
    register: (metadata: object = {}): Promise<ApiAnswer> =>
      api.call('POST', '/oauth/register', {
        key: null,
        headers,
        body: { client_name: 'Claude', redirect_uris: [redirectUri], ...metadata },
      }),

    /** The query with which it sends the browser to the consent page; undefined leaves a parameter out. */
    ask(clientId: string, pkce: Pkce, changes: Record<string, string | undefined> = {}): string {
      const parameters = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        code_challenge: pkce.challenge,
        code_challenge_method: 'S256',
        state: 'its state',
        resource,
        scope: 'read write',
        ...changes,
      };
      const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
      return new URLSearchParams(given as [string, string][]).toString();
    },

    exchange: (code: string, clientId: string, pkce: Pkce, changes: Record<string, string> = {}) =>
      postForm('/oauth/token', {
        grant_type: 'authorization_code',
        code,
        client_id: clientId,
        code_verifier: pkce.verifier,
        redirect_uri: redirectUri,
        resource,
        ...changes,
      }),

    refresh: (refreshToken: string, clientId: string, changes: Record<string, string> = {}) =>
      postForm('/oauth/token', {
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: clientId,
        ...changes,
      }),

    revoke: (token: string, clientId: string) => postForm('/oauth/revoke', { token, client_id: clientId }),

    /** A message of the protocol. */
    send(token: string | null, message: object = { method: 'tools/list' }, id = 'my-request') {
      const sent: Record<string, string> = { ...headers, 'x-request-id': id };
      if (token !== null) sent.authorization = `Bearer ${token}`;
      const body = { jsonrpc: '2.0', id: 1, ...message };
      return api.call('POST', '/mcp', { key: null, withoutPause: true, body, headers: sent });
    },

    /** The whole flow, after a registration. */
    async connect(
      browser: Browser,
      { canWrite = true, ...changes }: { canWrite?: boolean; clientId?: string; scope?: string } = {},
    ): Promise<Tokens & { clientId: string }> {
      const clientId = changes.clientId ?? (await assistant.register()).body.client_id;
      const pkce = createPkce();
      const asked = changes.scope === undefined ? {} : { scope: changes.scope };
      const code = await allow(browser, assistant.ask(clientId, pkce, asked), canWrite);
      const { status, body } = await assistant.exchange(code, clientId, pkce);
      if (status !== 200) throw new Error(JSON.stringify(body));
      return { ...body, clientId };
    },
  };
  return assistant;
}

/** What the consent page does when its person allows the request. */
export const postConsent = (browser: Browser, query: string, canWrite = true): Promise<ApiAnswer> =>
  browser.send('POST', '/connect', { body: { query, can_write: canWrite } });

/** Allows a request. Returns the code. */
export async function allow(browser: Browser, query: string, canWrite = true): Promise<string> {
  const { status, body } = await postConsent(browser, query, canWrite);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return codeIn(body.data.address);
}

export const codeIn = (address: string): string => new URL(address).searchParams.get('code') ?? '';

/** A browser that is signed in by this key. */
export async function signedIn(api: Api, key: string): Promise<Browser> {
  const browser = openBrowser(api);
  await browser.signInByKey(key);
  return browser;
}

/** The data of a page inside its HTML. */
export const dataOfPage = ({ body }: ApiAnswer) =>
  JSON.parse(String(body).match(/id="data">([^<]*)</)?.[1] ?? 'null');
