import {
  createPkce,
  echoEndpoint,
  openAssistant,
  postConsent,
  publicUrl,
  signedIn,
} from './harness/assistant.ts';
import { pageHead } from './harness/page-head.ts';
import { useGateway } from './harness/use-gateway.ts';

const assets = { head: pageHead(), files: new Map() };
const api = useGateway({ trustProxy: 1, mcp: echoEndpoint, dashboard: { publicUrl, assets } });

const redirectUri = 'http://127.0.0.1:33418/callback';
const asked = { 'x-forwarded-for': '10.8.0.1', 'mcp-protocol-version': '2025-03-26' };
const pathOf = (address: string) => address.replace(publicUrl, '');

const postForm = (path: string, fields: Record<string, string>) =>
  api.call('POST', path, {
    key: null,
    raw: new URLSearchParams(fields).toString(),
    headers: { ...asked, 'content-type': 'application/x-www-form-urlencoded' },
  });

/**
 * The requests of the protocol's SDK of the revision 2025-03-26, its first with OAuth, in their order. It does not know the document of
 * a resource, so nothing names scope, state or resource. A client of OAuth 2.1 may leave redirect_uri out with the code.
 * `mcp/scripts/check-first-generation.ts` does the same with the SDK itself.
 */
test.each<[string, Record<string, string>]>([
  ['no redirect_uri with the code', {}],
  ['redirect_uri with the code', { redirect_uri: redirectUri }],
])('the recorded requests of a client of the first generation connect it (%s)', async (_, sentWithCode) => {
  const browser = await signedIn(api, (await api.createKey()).key);
  const assistant = openAssistant(api, { from: '10.8.0.1' });
  expect((await assistant.send(null, { method: 'initialize' })).status).toBe(401);

  const server = await api.call('GET', '/.well-known/oauth-authorization-server', {
    key: null,
    headers: asked,
  });
  expect(server).toMatchObject({
    status: 200,
    body: {
      issuer: publicUrl,
      response_types_supported: expect.arrayContaining(['code']),
      code_challenge_methods_supported: expect.arrayContaining(['S256']),
      grant_types_supported: expect.arrayContaining(['refresh_token']),
    },
  });

  const metadata = { client_name: 'First', redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' };
  const registered = await api.call('POST', pathOf(server.body.registration_endpoint), {
    key: null,
    headers: asked,
    body: metadata,
  });
  expect(registered).toMatchObject({ status: 201, body: { ...metadata, client_id: expect.any(String) } });
  expect(registered.body).not.toHaveProperty('client_secret');
  const clientId: string = registered.body.client_id;

  const pkce = createPkce();
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256',
    redirect_uri: redirectUri,
  });
  const page = pathOf(server.body.authorization_endpoint).replace('/dashboard', '');
  const shown = await browser.sendAs({ accept: 'text/html' }, 'GET', `${page}?${query}`);
  expect(String(shown.body)).toContain('"state":"asking"');
  const { body: allowed } = await postConsent(browser, String(query));
  const returned = new URL(allowed.data.address);
  expect(`${returned.origin}${returned.pathname}`).toBe(redirectUri);
  expect([...returned.searchParams.keys()].sort()).toEqual(['code', 'iss']);

  const token = pathOf(server.body.token_endpoint);
  const first = await postForm(token, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code: returned.searchParams.get('code') ?? '',
    code_verifier: pkce.verifier,
    ...sentWithCode,
  });
  expect(first).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3600 } });
  expect((await assistant.send(first.body.access_token, { method: 'initialize' })).status).toBe(200);

  const fields = { grant_type: 'refresh_token', client_id: clientId };
  const next = await postForm(token, { ...fields, refresh_token: first.body.refresh_token });
  expect(next.status).toBe(200);
  expect((await assistant.send(next.body.access_token)).status).toBe(200);
});
