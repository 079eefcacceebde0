import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { findFreePort } from '../testing/find-free-port.ts';
import { pageHeaders, signIn } from '../testing/system/sign-in.ts';
import { startSystemProcess } from '../testing/system/system-process.ts';
import { createExpectations } from './lib/expectations.ts';
import { readOptions } from './lib/options.ts';
import { temporaryFolder } from './lib/temporary-folder.ts';

readOptions(
  'npm run assistant-flow',
  `Connects a client of the protocol's SDK to the sample system with nothing but the address, and prints each request of the whole flow
in a line: the step, method and path, the status, and the milliseconds until the answer begins. Queries and bodies, which hold codes and
tokens, are left out.`,
  {},
);
const { expectThat, conclude } = createExpectations();
const redirectUrl = 'http://127.0.0.1:33418/callback';
/** The steps so far, each with the status of its last request. */
const statuses = new Map<string, number>();

/** `fetch`, with a line for each call. */
async function traced(address: string | URL, init: RequestInit = {}): Promise<Response> {
  const { pathname } = new URL(address);
  const { method = 'GET' } = init;
  const startedMs = performance.now();
  const answer = await fetch(address, init);
  const ms = performance.now() - startedMs;
  const step = stepOf(pathname, String(init.body ?? ''));
  statuses.set(step, answer.status);
  const request = `${method} ${pathname}`.padEnd(52);
  console.log(`${step.padEnd(26)}${request}${answer.status} ${ms.toFixed(1).padStart(8)} ms`);
  return answer;
}

function stepOf(path: string, body: string): string {
  if (path.startsWith('/.well-known/')) return 'discovery';
  if (path === '/oauth/register') return 'registration';
  if (path === '/oauth/token') return body.includes('grant_type=refresh_token') ? 'refresh' : 'token';
  if (path === '/oauth/revoke') return 'revoke';
  if (path !== '/mcp') return 'consent';
  return body.startsWith('{') ? String(JSON.parse(body).method) : 'stream';
}

/** What the client keeps, as the provider of its SDK. */
const kept: {
  client?: OAuthClientInformationMixed;
  tokens?: OAuthTokens;
  verifier?: string;
  discovered?: OAuthDiscoveryState;
  address?: URL;
} = {};
const authProvider: OAuthClientProvider = {
  redirectUrl,
  clientMetadata: {
    client_name: 'Flow',
    redirect_uris: [redirectUrl],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  },
  state: () => 'a state',
  clientInformation: () => kept.client,
  saveClientInformation(client) {
    kept.client = client;
  },
  tokens: () => kept.tokens,
  saveTokens(tokens) {
    kept.tokens = tokens;
  },
  redirectToAuthorization(address) {
    kept.address = address;
  },
  saveCodeVerifier(verifier) {
    kept.verifier = verifier;
  },
  codeVerifier: () => kept.verifier ?? '',
  saveDiscoveryState(discovered) {
    kept.discovered = discovered;
  },
  discoveryState: () => kept.discovered,
};

const port = String(await findFreePort());
const url = `http://localhost:${port}`;
const system = await startSystemProcess({
  SHELFWISE_DATA_DIR: temporaryFolder('assistant-flow'),
  PORT: port,
  PUBLIC_URL: url,
});
try {
  const cookie = await signIn(url, system.key ?? '');
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider, fetch: traced });
  const newClient = () => new Client({ name: 'flow', version: '1.0.0' });

  const unauthorized = transport();
  await newClient()
    .connect(unauthorized)
    .catch((error: unknown) => {
      if (!kept.address) throw error;
    });
  await unauthorized.finishAuth((await allow(cookie)).searchParams);

  const client = newClient();
  await client.connect(transport());
  const { tools } = await client.listTools();
  expectThat(tools.length > 0, `${tools.length} tools are listed`);
  expectThat(await works(client), 'a tool works');
  // As at the end of an hour.
  kept.tokens = { ...(kept.tokens as OAuthTokens), access_token: `sw_access_${'x'.repeat(43)}` };
  expectThat(await works(client), 'a tool works with a token that was renewed without a person');
  await client.close();

  const { access_token: token, refresh_token: refreshToken = '' } = kept.tokens as OAuthTokens;
  await traced(`${url}/oauth/revoke`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(new URLSearchParams({ token: refreshToken, client_id: kept.client?.client_id ?? '' })),
  });
  const after = await traced(`${url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'after the end' }),
  });
  expectThat(after.status === 401, 'no token of the connection works after its end');
  for (const step of ['discovery', 'registration', 'consent', 'token', 'tools/list', 'refresh', 'revoke'])
    expectThat((statuses.get(step) ?? 500) < 300, `${step} is answered`);
} finally {
  await system.end('SIGINT');
}
process.exit(conclude());

/** What the consent page does when its person allows the request. Returns the address to which its browser goes. */
async function allow(cookie: string): Promise<URL> {
  const address = kept.address as URL;
  await traced(address, { headers: { cookie, accept: 'text/html' } });
  const answer = await traced(`${url}/dashboard/connect`, {
    method: 'POST',
    headers: { ...pageHeaders, cookie },
    body: JSON.stringify({ query: address.search.slice(1), can_write: true }),
  });
  const { data } = (await answer.json()) as { data: { address: string } };
  return new URL(data.address);
}

async function works(client: Client): Promise<boolean> {
  return !(await client.callTool({ name: 'list_applications', arguments: {} })).isError;
}
