import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { tools } from '@shelfwise/mcp/tools/index';
import { findFreePort } from '../../testing/find-free-port.ts';
import { pageHeaders, signIn } from '../../testing/system/sign-in.ts';
import { useSharedSystem } from './use-systems.ts';

const { system, restart } = useSharedSystem(async () => {
  const port = String(await findFreePort());
  return { PORT: port, PUBLIC_URL: `http://localhost:${port}` };
});
const clients: Client[] = [];
afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));

const redirectUrl = 'http://127.0.0.1:33418/callback';

/** What a client of the protocol keeps, as the provider of its SDK. The browser is opened by hand. */
function createProvider(): OAuthClientProvider & {
  address(): URL;
  wanted: string[];
  tokensNow(): OAuthTokens;
} {
  let client: OAuthClientInformationMixed | undefined;
  let tokens: OAuthTokens | undefined;
  let verifier = '';
  let discovered: OAuthDiscoveryState | undefined;
  let address: URL | undefined;
  const wanted: string[] = [];
  return {
    redirectUrl,
    clientMetadata: {
      client_name: 'Test',
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    state: () => 'a state',
    clientInformation: () => client,
    saveClientInformation(information) {
      client = information;
    },
    tokens: () => tokens,
    saveTokens(saved) {
      tokens = saved;
    },
    redirectToAuthorization(url) {
      address = url;
      wanted.push(url.searchParams.get('scope') ?? '');
    },
    saveCodeVerifier(saved) {
      verifier = saved;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState(saved) {
      discovered = saved;
    },
    discoveryState: () => discovered,
    invalidateCredentials(scope) {
      if (scope === 'all' || scope === 'tokens') tokens = undefined;
    },
    wanted,
    address: () => address as URL,
    tokensNow: () => tokens as OAuthTokens,
  };
}

/** An account of its own, whose session the consent page has. */
async function createAccount(name: string) {
  const { url, system: started } = system();
  const { key } = await started.accounts.create({ email: `${name}@example.com`, plan: 'unlimited' });
  const cookie = await signIn(url, key);
  /** What the consent page does. Returns the address to which its browser goes. */
  async function consent(address: URL, canWrite: boolean): Promise<URL> {
    const page = await fetch(address, { headers: { cookie, accept: 'text/html' } });
    expect(await page.text()).toContain('"state":"asking"');
    const body = JSON.stringify({ query: address.search.slice(1), can_write: canWrite });
    const answer = await fetch(`${url}/dashboard/connect`, {
      method: 'POST',
      headers: { ...pageHeaders, cookie },
      body,
    });
    const { data } = (await answer.json()) as { data: { address: string } };
    return new URL(data.address);
  }
  return { url, cookie, consent };
}

async function connect(url: string, authProvider: OAuthClientProvider): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider }));
  clients.push(client);
  return client;
}

/** Connects with nothing but the address. */
async function connectAnew(
  { url, consent }: Awaited<ReturnType<typeof createAccount>>,
  { canWrite }: { canWrite: boolean },
) {
  const provider = createProvider();
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: provider });
  await expect(new Client({ name: 'test', version: '1.0.0' }).connect(transport)).rejects.toThrow(
    UnauthorizedError,
  );
  const returned = await consent(provider.address(), canWrite);
  expect(`${returned.origin}${returned.pathname}`).toBe(redirectUrl);
  await transport.finishAuth(returned.searchParams);
  return { provider, client: await connect(url, provider) };
}

const nameAll = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name).sort();

test('a client of the SDK connects with nothing but the address, and its tools work', async () => {
  const account = await createAccount('every-tool');
  const { client, provider } = await connectAnew(account, { canWrite: true });
  expect(provider.tokensNow().scope).toBe('read write');
  expect(await nameAll(client)).toEqual(tools.map(({ name }) => name).sort());
  const market = { store: 'ITUNES', country: 'US', lang: 'en-US' };
  const added = await client.callTool({
    name: 'add_application',
    arguments: { app_id: '9005997251', ...market },
  });
  expect(added.isError).toBeFalsy();
  // More than fit into a second wait for the windows of the account, each with a credential of its own.
  const usages = await Promise.all(
    Array.from({ length: 8 }, () => client.callTool({ name: 'get_account_usage', arguments: {} })),
  );
  expect(usages.map(({ isError }) => isError === true)).toEqual(Array(8).fill(false));
  const resource = await client.readResource({ uri: 'shelfwise://usage' });
  expect(JSON.stringify(resource.contents)).toContain('unlimited');
});

test('a connection that may read has no tool that writes; a call of one asks for more', async () => {
  const account = await createAccount('reading');
  const { client, provider } = await connectAnew(account, { canWrite: false });
  const reading = tools.filter(({ effect }) => effect === 'none').map(({ name }) => name);
  expect(await nameAll(client)).toEqual(reading.sort());
  expect((await client.callTool({ name: 'list_applications', arguments: {} })).isError).toBeFalsy();

  const answer = await fetch(`${account.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${provider.tokensNow().access_token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'add_note', arguments: {} },
    }),
  });
  expect(answer.status).toBe(403);
  expect(answer.headers.get('www-authenticate')).toMatch(
    /^Bearer error="insufficient_scope".*scope="read write".*resource_metadata="http:\/\/localhost:\d+\/\.well-known\/oauth-protected-resource\/mcp"/,
  );
});

test('an expired token is renewed without a person, and a connection that was ended asks again', async () => {
  const account = await createAccount('expired');
  const { client, provider } = await connectAnew(account, { canWrite: true });
  const first = provider.tokensNow();
  await provider.saveTokens({ ...first, access_token: `sw_access_${'x'.repeat(43)}` });
  expect((await client.callTool({ name: 'list_applications', arguments: {} })).isError).toBeFalsy();
  expect(provider.tokensNow().access_token).not.toBe(first.access_token);

  await fetch(`${account.url}/dashboard/connections`, {
    method: 'DELETE',
    headers: { ...pageHeaders, cookie: account.cookie },
  });
  const asked = provider.wanted.length;
  await expect(client.callTool({ name: 'list_applications', arguments: {} })).rejects.toThrow();
  expect(provider.wanted.length).toBe(asked + 1);
});

test('connections outlive a restart', async () => {
  const account = await createAccount('restart');
  const { provider, client } = await connectAnew(account, { canWrite: true });
  await client.close();
  await restart();
  const again = await connect(account.url, provider);
  expect((await again.callTool({ name: 'list_applications', arguments: {} })).isError).toBeFalsy();
});
