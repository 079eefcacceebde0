import { createHash } from 'node:crypto';
import { pageHeaders } from './sign-in.ts';

const redirectUri = 'https://assistant.example/callback';
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/**
 * Connects an assistant to the account of the session, as the specification of the protocol says, and has it list the apps.
 * @param url that of PUBLIC_URL
 */
export async function connectAssistant(url: string, cookie: string) {
  const metadata = { client_name: 'Test', redirect_uris: [redirectUri] };
  const { client_id: clientId } = await post(`${url}/oauth/register`, JSON.stringify(metadata));
  const verifier = 'v'.repeat(43);
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const consent = JSON.stringify({ query: String(query), can_write: true });
  const { data } = await post(`${url}/dashboard/connect`, consent, { cookie });
  const code = new URL(data.address).searchParams.get('code') ?? '';
  const fields = { grant_type: 'authorization_code', code, client_id: clientId, code_verifier: verifier };
  const tokens = await post(`${url}/oauth/token`, String(new URLSearchParams(fields)), form);
  await listApps(url, tokens.access_token);
  return { clientId, token: String(tokens.access_token), refreshToken: String(tokens.refresh_token) };
}

/** Calls a tool. @throws Error when the token is not taken */
export async function listApps(url: string, token: string): Promise<void> {
  const call = { method: 'tools/call', params: { name: 'list_applications', arguments: {} } };
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' };
  await post(`${url}/mcp`, JSON.stringify({ jsonrpc: '2.0', id: 1, ...call }), headers);
}

/** The next tokens of a connection. @throws Error when the refresh token is not taken */
export function renewTokens(
  url: string,
  { clientId, refreshToken }: { clientId: string; refreshToken: string },
): Promise<{ access_token: string; refresh_token: string }> {
  const fields = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId };
  return post(`${url}/oauth/token`, String(new URLSearchParams(fields)), form);
}

/** Ends a connection. */
export async function endConnection(
  url: string,
  { clientId, refreshToken }: { clientId: string; refreshToken: string },
): Promise<void> {
  const fields = { token: refreshToken, client_id: clientId };
  await post(`${url}/oauth/revoke`, String(new URLSearchParams(fields)), form);
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads arbitrary answers
async function post(url: string, body: string, headers: Record<string, string> = {}): Promise<any> {
  const answer = await fetch(url, { method: 'POST', headers: { ...pageHeaders, ...headers }, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`);
  return text.startsWith('{') ? JSON.parse(text) : text;
}
